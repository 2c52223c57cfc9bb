// SPDX-License-Identifier: BSD-3-Clause
// Tables with names, dates, blanks and decimal commas as the matrix of an objective.
#include "program.hpp"

using namespace claros::test;

namespace {

struct MatrixCase {
  std::string objective;
  Words more;
};
/// Objectives whose data are one matrix, each with what makes a problem of it.
const std::vector<MatrixCase> kCases{
    {"linear", {"set.use=box"}},
    {"quadratic", {"objective.form=samples", "set.use=simplex", "set.radius=1"}},
    {"distance", {"penalty.use=l1", "penalty.lambda=0.01"}},
    {"covariance", {"penalty.use=l1", "penalty.lambda=0.01", "stop.residual=1e-6"}},
    {"log-det", {"objective.form=samples", "penalty.use=l1", "penalty.lambda=0.1"}}};

Words run_of(const MatrixCase& one, const std::string& file, const Words& more = {}) {
  Words words{"run", "objective.use=" + one.objective, "objective.data=" + file, "--quiet"};
  words.insert(words.end(), one.more.begin(), one.more.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("matrices in tables: decimal commas, a column left out and dates are read as a plain file is") {
  const TestFolder folder;
  folder.put("plain.csv", "day,a,b\nmon,1.5,2\ntue,-1,3.5\nwed,2,0.25\nthu,0.5,1\n");
  folder.put("comma.csv", "day;a;note;b\nmon;1,5;x;2\ntue;-1;y;3,5\nwed;2;z;0,25\nthu;0,5;w;1\n");
  folder.put("thousands.csv", "a;b\n\"1.234,5\";2\n1,5;3\n0,5;4\n");
  folder.put("days.csv", "a,when\n1,2024-01-01\n3,2024-01-03\n2,2024-01-02\n");
  for (const MatrixCase& one : kCases) {
    CAPTURE(one.objective);
    const auto plain = ask(folder.path(), run_of(one, "plain.csv", {"--out", "plain"}));
    const auto comma =
        ask(folder.path(), run_of(one, "comma.csv", {"objective.without=note", "--out", "comma"}));
    CAPTURE(comma.err);
    REQUIRE(plain.code == 0);
    REQUIRE(comma.code == 0);
    CHECK(folder.get("plain/solution/solution.csv") == folder.get("comma/solution/solution.csv"));
    CHECK(contains(folder.get("comma/solution/solution.csv"), "a"));
    const auto kept = ask(folder.path(), run_of(one, "comma.csv"));
    CHECK(kept.code != 0);
    CHECK(contains(kept.err, "column 3 (note) is 'x'; expected a number"));
    CHECK(contains(kept.err, "without = note"));
    const auto thousands = ask(folder.path(), run_of(one, "thousands.csv"));
    CHECK(contains(thousands.err, "set decimal = comma"));
    CHECK(ask(folder.path(), run_of(one, "thousands.csv", {"objective.decimal=comma"})).code == 0);
    for (const char* rows : {"0.5;7,341\n1.5;953\n2.5;1,779\n", "1;7,341\n2;953\n3;1,779\n"}) {
      folder.put("open.csv", std::string("a;b\n") + rows);
      const auto open = ask(folder.path(), run_of(one, "open.csv"));
      CHECK(open.code == 4);
      CHECK(contains(open.err, "the commas of column 2 (b), such as '7,341', may separate thousands"));
    }
    const auto days = ask(folder.path(), run_of(one, "days.csv"));
    CHECK(contains(days.err, "set dates = days"));
    CHECK(contains(ask(folder.path(), run_of(one, "plain.csv", {"objective.dates=days"})).err,
                   "no column that is used holds dates"));
    CHECK(contains(ask(folder.path(), run_of(one, "plain.csv", {"objective.without=c"})).err, "without"));
  }
}

TEST_CASE("matrices in tables: missing entries are refused, dropped or filled in; holes of distance stay") {
  const TestFolder folder;
  folder.put("holes.csv", "day,a,b\nmon,1,2\ntue,,4\nwed,3,NA\nthu,5,6\nfri,0,1\n");
  folder.put("dropped.csv", "day,a,b\nmon,1,2\nthu,5,6\nfri,0,1\n");
  folder.put("mean.csv", "day,a,b\nmon,1,2\ntue,2.25,4\nwed,3,3.25\nthu,5,6\nfri,0,1\n");
  folder.put("median.csv", "day,a,b\nmon,1,2\ntue,2,4\nwed,3,3\nthu,5,6\nfri,0,1\n");
  folder.put("none.csv", "a,b\n1,\n,2\n");
  for (const MatrixCase& one : kCases) {
    CAPTURE(one.objective);
    const auto refused = ask(folder.path(), run_of(one, "holes.csv"));
    if (one.objective == "distance") {
      CHECK(refused.code == 0);
      CHECK(
          contains(ask(folder.path(), run_of(one, "holes.csv", {"objective.missing=drop"})).err, "missing"));
      continue;
    }
    CHECK(refused.code != 0);
    if (one.objective != "linear") CHECK(contains(refused.err, "objective.missing = drop, mean or median"));
    for (const std::string rule : {"drop", "mean", "median"}) {
      CAPTURE(rule);
      const auto filled =
          ask(folder.path(), run_of(one, "holes.csv", {"objective.missing=" + rule, "--out", "a"}));
      CAPTURE(filled.err);
      REQUIRE(filled.code == 0);
      const std::string same = rule == "drop" ? "dropped.csv" : rule + ".csv";
      REQUIRE(ask(folder.path(), run_of(one, same, {"--out", "b"})).code == 0);
      CHECK(folder.get("a/solution/solution.csv") == folder.get("b/solution/solution.csv"));
    }
    CHECK(contains(ask(folder.path(), run_of(one, "holes.csv", {"objective.missing=indicator"})).err,
                   "indicator adds columns"));
    CHECK(contains(ask(folder.path(), run_of(one, "none.csv", {"objective.missing=drop"})).err,
                   "drop leaves no row"));
  }
}

TEST_CASE("matrices in tables: an option of tables is refused for numbers written out and for other files") {
  const TestFolder folder;
  folder.put("m.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n");
  for (const std::string data : {"1 2; 3 4", "m.mtx"})
    for (const std::string option : {"without=1", "decimal=comma", "dates=days", "missing=mean"}) {
      CAPTURE(data);
      CAPTURE(option);
      const auto outcome = ask(folder.path(), run_of(kCases.front(), data, {"objective." + option}));
      CHECK(outcome.code != 0);
      CHECK(contains(outcome.err, "is about tables of text"));
    }
}

TEST_CASE("matrices in tables: variables of a linear program have their names") {
  const TestFolder folder;
  folder.put("diet.lp",
             "minimize\n 2 bread + 3 milk\nsubject to\n c1: bread + 2 milk >= 4\n c2: 3 bread + milk >= 6\n"
             "bounds\n bread <= 10\n milk <= 10\nend\n");
  const auto outcome =
      ask(folder.path(), {"run", "objective.use=linear", "objective.data=2 3", "set.use=polytope",
                          "set.program=diet.lp", "stop.relative_gap=1e-9", "--out", "diet"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(contains(outcome.out, "bread"));
  CHECK(contains(outcome.out, "milk"));
  CHECK(contains(folder.get("diet/solution/solution.csv"), "milk,1.2"));
}

TEST_CASE("quadratic: prices are the samples of their relative changes, and what is no price is refused") {
  const TestFolder folder;
  folder.put("prices.csv", "day,a,b\nmon,100,50\ntue,110,45\nwed,99,54\nthu,198,54\n");
  folder.put("changes.csv", "day,a,b\ntue,0.1,-0.1\nwed,-0.1,0.2\nthu,1,0\n");
  const auto run = [&](const std::string& file, const std::string& form, const std::string& out) {
    return ask(folder.path(),
               {"run", "objective.use=quadratic", "objective.data=" + file, "objective.form=" + form,
                "objective.linear=mean", "objective.linear_factor=-0.1", "set.use=simplex", "set.radius=1",
                "set.upper=0.9", "stop.relative_gap=1e-12", "--quiet", "--out", out});
  };
  const auto prices = run("prices.csv", "prices", "of-prices"),
             changes = run("changes.csv", "samples", "of-changes");
  REQUIRE(prices.code == 0);
  REQUIRE(changes.code == 0);
  const auto weights = [&](const std::string& out) {
    std::istringstream lines(folder.get(out + "/solution/solution.csv"));
    std::string line;
    std::vector<std::pair<std::string, double>> read;
    for (std::getline(lines, line); std::getline(lines, line);)
      read.emplace_back(line.substr(0, line.find(',')), std::stod(line.substr(line.find(',') + 1)));
    return read;
  };
  const auto of_prices = weights("of-prices"), of_changes = weights("of-changes");
  REQUIRE(of_prices.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(of_prices[k].first == of_changes[k].first);
    CHECK(of_prices[k].second == doctest::Approx(of_changes[k].second).epsilon(1e-9));
  }
  folder.put("zero.csv", "day,a,b\nmon,100,50\ntue,110,0\nwed,99,54\n");
  CHECK(
      contains(run("zero.csv", "prices", "no").err, "expected prices above 0, found 0 in row 2 of column 2"));
  folder.put("two.csv", "day,a,b\nmon,100,50\ntue,110,1\n");
  CHECK(contains(run("two.csv", "prices", "no").err, "give at least 3, in the order of time"));
}

TEST_CASE("matrix-completion: values that look like counts of views are noticed, and ratings are not") {
  const TestFolder folder;
  const auto noticed = [&](auto value, int count, const Words& more = {}) {
    std::string lines;
    for (int k = 0; k < count; ++k)
      lines += std::to_string(k % 12 + 1) + ',' + std::to_string(k / 12 + 1) + ',' + value(k) + '\n';
    folder.put("list.csv", lines);
    Words words{"run", "objective.use=matrix-completion", "objective.data=list.csv", "penalty.use=nuclear",
                "penalty.lambda=0.5*max"};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = ask(folder.path(), words);
    CHECK(outcome.code == 0);
    return contains(outcome.err, "as counts of views are");
  };
  const auto counts = [](int k) { return std::to_string(k % 3 ? 1 : k % 7 + 1); };
  CHECK(noticed(counts, 60));
  CHECK(noticed([](int) { return std::string("1"); }, 60));
  CHECK_FALSE(noticed(counts, 48));
  CHECK_FALSE(noticed(counts, 60, {"objective.implicit=yes", "objective.unobserved=0.05"}));
  CHECK_FALSE(noticed([](int k) { return std::to_string(k % 5 + 1); }, 60));
  CHECK_FALSE(noticed([&](int k) { return k ? counts(k) : std::string("1.5"); }, 60));
  CHECK_FALSE(noticed([](int k) { return std::string(k % 2 ? "1" : "-1"); }, 60));
}
