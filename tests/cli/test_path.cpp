// SPDX-License-Identifier: BSD-3-Clause
// Paths of lambdas: as solved one by one, and what is chosen from them.
#include "program.hpp"

#include <claros/io/matrix_market.hpp>
#include <claros/parameters.hpp>

#include <csignal>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace claros::test;
using Json = nlohmann::json;

namespace {

/// Rows of `cols` columns; the response is made of z = 3 c0 - 2 c1 + c2 and noise.
std::string rows_of(int rows, int cols, const std::function<std::string(double z, double noise)>& answer,
                    unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&] { return static_cast<double>(engine() % 20001) / 10000 - 1; };
  std::string text;
  for (int j = 0; j < cols; ++j) text += "c" + std::to_string(j) + ',';
  text += "y\n";
  for (int i = 0; i < rows; ++i) {
    double z = 0.0;
    for (int j = 0; j < cols; ++j) {
      const double a = uniform();
      z += (j == 0 ? 3.0 : j == 1 ? -2.0 : j == 2 ? 1.0 : 0.0) * a;
      text += std::to_string(a) + ',';
    }
    text += answer(z, uniform()) + '\n';
  }
  return text;
}

std::string noisy(double z, double noise) { return std::to_string(z + noise); }
std::string cat_or_dog(double z, double noise) { return z + noise > 0 ? "dog" : "cat"; }
std::string kind(double z, double noise) { return z + noise > 1 ? "3" : z + noise > -1 ? "7" : "5"; }
std::string how_many(double z, double noise) {
  return std::to_string(static_cast<int>(std::exp(0.4 * z) + 0.5 + 0.5 * noise));
}

const Words kModel{"objective.use=linear-model", "objective.data=train.csv", "objective.intercept=no",
                   "objective.standardize=no", "penalty.use=l1"};

Words path(const Words& more) {
  const bool cox = std::ranges::find(more, "objective.use=cox") != more.end();
  return with(with({"path", "--quiet"}, cox ? Words{"objective.data=train.csv", "penalty.use=l1"} : kModel),
              more);
}

Json made(const TestFolder& folder, const Words& more, int code = 0) {
  const auto outcome = ask(folder.path(), with(path(more), {"--json"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == code);
  return Json::parse(outcome.out);
}

Json one(const TestFolder& folder, const Words& more) {
  const auto outcome = ask(folder.path(), with(with({"run", "--quiet", "--json"}, kModel), more));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return Json::parse(outcome.out);
}

double number(const Json& json) { return json.get<double>(); }
std::string lambda_of(const Json& row) { return "penalty.lambda=" + row.at("lambda").dump(); }
bool can_draw() { return std::system("command -v gnuplot >/dev/null") == 0; }

/// The places that the rules take, made from the rows alone: of a loss the least, of what is `better` the
/// larger it is the largest.
void check_rules(const Json& result, const std::string& measure = "loss", bool better = false) {
  CAPTURE(measure);
  const Json& rows = result.at("cross_validation").at("rows");
  const auto cost = [&](std::size_t k) { return (better ? -1.0 : 1.0) * number(rows[k].at(measure)); };
  std::size_t least = 0, simplest = 0;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (cost(k) < cost(least)) least = k;
  const double most = cost(least) + number(rows[least].at(measure + "_error"));
  while (cost(simplest) > most) ++simplest;
  CHECK(result.at("chosen").at("best").at("row") == least);
  CHECK(result.at("chosen").at("one-standard-error").at("row") == simplest);
  CHECK(simplest <= least);
}

}  // namespace

TEST_CASE("path: every row is what a run from the start makes, on the full data, of all kinds of model") {
  struct Model {
    Words words;
    std::function<std::string(double, double)> answer;
  };
  const std::vector<Model> models{{{}, noisy},
                                  {{"objective.intercept=true", "objective.standardize=true"}, noisy},
                                  {{"objective.loss=logistic", "objective.intercept=true"}, cat_or_dog},
                                  {{"objective.loss=multinomial"}, kind},
                                  {{"objective.loss=poisson", "objective.intercept=true"}, how_many},
                                  {{"penalty.use=elastic-net"}, noisy},
                                  {{"penalty.use=group", "penalty.groups=3"}, noisy}};
  for (const Model& model : models) {
    const TestFolder folder;
    CAPTURE(model.words);
    folder.put("train.csv", rows_of(40, 12, model.answer));
    const Words words = with(model.words, {"stop.relative_gap=1e-9", "stop.iterations=100000"});
    const Json result = made(folder, with(words, {"--lambdas", "6", "--ratio", "0.02", "--out", "kept"}));
    REQUIRE(result.at("rows").size() == 6);
    CHECK(result.at("path").at("complete") == true);
    CHECK(number(result.at("rows")[0].at("support")) <=
          1);  // max itself, to rounding, where an intercept was fitted
    CHECK(number(result.at("rows")[5].at("support")) > 2);
    const auto entries = claros::read_matrix_market_coordinate(folder / "kept/coefficients.mtx");
    double before = 0.0;
    for (std::size_t k = 0; k < 6; ++k) {
      const Json& row = result.at("rows")[k];
      CHECK(row.at("status") == "relative-gap");
      CHECK(number(row.at("gap")) <= 1e-9 * number(row.at("value")) + 1e-15);
      CHECK(number(row.at("explained")) >= before - 1e-6);
      before = number(row.at("explained"));
      const Json cold = one(folder, with(words, {lambda_of(row), "--out", "cold"}));
      CHECK(cold.at("rank_or_support").get<double>() >= number(row.at("support")));
      CHECK(number(row.at("value")) == doctest::Approx(number(cold.at("value"))).epsilon(3e-9));
      if (k == 0) continue;  // 0 is written without entries
      const auto x = claros::read_matrix_market_array(folder / "cold/solution/x.mtx");
      REQUIRE(entries.rows == x.rows * x.cols);
      std::vector<double> ours(x.values.size(), 0.0);
      for (std::size_t e = 0; e < entries.value.size(); ++e)
        if (entries.col[e] == static_cast<int>(k))
          ours[static_cast<std::size_t>(entries.row[e])] = entries.value[e];
      for (std::size_t j = 0; j < ours.size(); ++j)
        CHECK(ours[j] == doctest::Approx(x.values[j]).epsilon(3e-3));
    }
  }
}

TEST_CASE("path: lambdas fall by one factor from max, and the specification's own lambda plays no part") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(30, 8, noisy));
  const Json result = made(folder, {"--lambdas", "5", "--ratio", "1e-2", "penalty.lambda=7"});
  const double max = number(one(folder, {"penalty.lambda=max", "stop.iterations=1"})
                                .at("fractions")
                                .at("penalty.lambda")
                                .at("max"));
  CHECK(number(result.at("path").at("max")) == max);
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(number(result.at("rows")[k].at("lambda")) ==
          doctest::Approx(max * std::pow(1e-2, static_cast<double>(k) / 4.0)).epsilon(1e-14));
  for (const Json& row : result.at("rows"))
    CHECK(number(row.at("gap")) <= 1e-4 * number(row.at("value")));  // the target by default
  CHECK(made(folder, {"--lambdas", "1"}).at("rows").size() == 1);
}

TEST_CASE("path: data are read once, and each lambda starts at the previous solution") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(60, 30, noisy));
  const auto outcome =
      ask(folder.path(), with(with({"path", "--verbose"}, kModel), {"--lambdas", "20", "--folds", "3"}));
  REQUIRE(outcome.code == 0);
  const Words said = lines(outcome.err);
  CHECK(std::count_if(said.begin(), said.end(),
                      [](const std::string& line) { return contains(line, "design of 60 x 30"); }) == 1);
  const std::string table = outcome.out.substr(0, outcome.out.find("\n\n") + 1);
  CHECK(lines(table).size() == 24);  // with the accuracy and what was chosen; coefficients follow

  const Words words{"algorithm.use=proximal-gradient", "algorithm.accelerate=no", "stop.relative_gap=1e-3",
                    "stop.iterations=100000"};
  const Json warm = made(folder, with(words, {"--lambdas", "20", "--ratio", "0.01"}));
  double of_path = 0.0, of_cold = 0.0;
  for (const Json& row : warm.at("rows")) {
    of_path += number(row.at("iterations"));
    of_cold += number(one(folder, with(words, {lambda_of(row)})).at("iterations"));
  }
  CHECK(of_path < 0.8 * of_cold);
}

TEST_CASE("path: without a gap the residual is the target, and a missed target is reported") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(40, 10, noisy));
  const Json scad = made(folder, {"penalty.use=scad", "--lambdas", "5", "--ratio", "0.05"});
  for (const Json& row : scad.at("rows")) CHECK(row.at("status") == "residual");
  const double largest = number(scad.at("rows").at(0).at("lambda"));
  for (const Json& row : scad.at("rows"))  // relative to the gradient at 0, and so to lambda
    CHECK(number(row.at("residual")) <= 1e-4 * number(row.at("lambda")) / largest);
  const auto short_of = ask(folder.path(), path({"algorithm.use=proximal-gradient", "stop.iterations=1",
                                                 "stop.relative_gap=1e-12", "--lambdas", "4"}));
  CHECK(short_of.code == 0);
  CHECK(contains(short_of.err, "lambdas ended without their target"));
  CHECK(contains(lines(short_of.out)[0], "status"));
  CHECK(contains(short_of.out, "iterations"));
}

namespace {

const Words kShort{"path",           "data.use=synthetic-regression",
                   "data.rows=60",   "data.cols=20",
                   "data.nonzero=3", "objective.use=linear-model",
                   "penalty.use=l1", "algorithm.use=proximal-gradient",
                   "--folds",        "3"};

/// Of the rows that `takes` the one with the least loss on rows held back.
template <class Takes>
std::size_t least_row(const Json& result, const Takes& takes) {
  const Json& folds = result.at("cross_validation").at("rows");
  std::size_t least = folds.size();
  for (std::size_t k = 0; k < folds.size(); ++k)
    if (takes(result.at("rows")[k]) &&
        (least == folds.size() || number(folds[k].at("loss")) < number(folds[least].at("loss"))))
      least = k;
  return least;
}
bool is_unfinished(const Json& row) { return row.at("unfinished").get<bool>(); }

}  // namespace

TEST_CASE("path: a lambda with a fit that missed its target is not chosen where another can be") {
  const TestFolder folder;
  const Words words = with(kShort, {"stop.iterations=10", "--lambdas", "8"});
  const auto outcome = ask(folder.path(), with(words, {"--json"}));
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const Json result = Json::parse(outcome.out), &chosen = result.at("chosen");
  const std::size_t best = chosen.at("best").at("row").get<std::size_t>(),
                    of_all = least_row(result, [](const Json&) { return true; });
  CHECK(is_unfinished(result.at("rows")[of_all]));  // the choice that it was
  CHECK(best == least_row(result, [](const Json& row) { return !is_unfinished(row); }));
  for (const char* name : {"best", "one-standard-error"}) {
    CHECK(chosen.at(name).at("unfinished") == false);
    CHECK(result.at("rows")[chosen.at(name).at("row").get<std::size_t>()].at("status") == "relative-gap");
  }
  std::size_t count = 0;
  for (const Json& row : result.at("rows")) {
    count += is_unfinished(row);
    if (row.at("status") != "relative-gap") CHECK(is_unfinished(row));
  }
  CHECK(contains(outcome.err, "warning: " + std::to_string(count) + " of 8 lambdas have unfinished fits"));
  check_mentions(outcome.err, {"raise stop.iterations = 10", "ease stop.relative_gap = "});
  // A criterion chooses by the same rule; only max, whose solution is the start, met its target.
  const auto by_bic =
      ask(folder.path(), with(Words(kShort.begin(), kShort.end() - 2),
                              {"stop.iterations=10", "--lambdas", "8", "--select", "bic", "--json"}));
  REQUIRE_MESSAGE(by_bic.code == 0, by_bic.err);
  const Json informed = Json::parse(by_bic.out);
  CHECK(informed.at("chosen").at("best").at("row") == 0);
  CHECK(number(informed.at("rows")[2].at("bic")) < number(informed.at("rows")[0].at("bic")));
  // Who asks for budgets alone gets them.
  const auto budget = ask(folder.path(), with(words, {"stop.relative_gap=0", "--json"}));
  REQUIRE_MESSAGE(budget.code == 0, budget.err);
  CHECK_FALSE(contains(budget.err, "unfinished"));
  const Json asked = Json::parse(budget.out);
  CHECK(asked.at("chosen").at("best").at("row") == of_all);
  CHECK(asked.at("cross_validation").at("missed") == 0);
  for (const Json& row : asked.at("rows")) CHECK(row.at("unfinished") == false);
}

TEST_CASE(
    "path: where every lambda has a fit without its target, the choice is marked and the exit code is 1") {
  const TestFolder folder;
  const Words words = with(kShort, {"stop.iterations=1", "--lambdas", "5"});
  const auto outcome = ask(folder.path(), with(words, {"--out", "kept"}));
  CHECK(outcome.code == 1);
  check_mentions(outcome.err, {"warning: no lambda met its target in all of its fits",
                               "raise stop.iterations = 1", "ease stop.relative_gap = "});
  CHECK_FALSE(contains(outcome.err, "smallest of the grid"));  // whatever its place, it says nothing
  CHECK(contains(outcome.out, "not in every fold"));           // max itself is solved on all rows
  std::size_t marks = 0;
  for (const std::string& line : lines(outcome.out)) marks += contains(line, "(unfinished");
  CHECK(marks >= 3);  // in the table and below it
  const Words csv = lines(folder.get("kept/path.csv"));
  CHECK(csv.front().ends_with(",unfinished,chosen"));
  std::size_t names = 0;
  for (std::size_t k = 1; k < csv.size(); ++k) {
    CHECK(contains(csv[k], ",1,"));
    names += csv[k].ends_with("best") + contains(csv[k], "one-standard-error");
  }
  CHECK(names == 2);
  const Json result = Json::parse(folder.get("kept/result.json"));
  for (const Json& row : result.at("rows")) CHECK(row.at("unfinished") == true);
  for (const Json& one : result.at("chosen")) CHECK(one.at("unfinished") == true);
  CHECK(result.at("chosen").at("best").at("row") == least_row(result, [](const Json&) { return true; }));
  CHECK(ask(folder.path(), {"report", "kept"}).code == 0);
  CHECK(contains(folder.get("kept/report.html"), "It is unfinished"));
  CHECK(ask(folder.path(), with(words, {"--json"})).code == 1);
  // Where nothing is chosen, nothing is wrong with a path that has lambdas to show.
  CHECK(ask(folder.path(), with(Words(words.begin(), words.begin() + 8), {"stop.iterations=1"})).code == 0);
}

TEST_CASE("path --folds FILE: the folds of a file, a number a line, make the mean that one gets by hand") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(9, 3, noisy));
  folder.put("folds.txt", "1\n1\n0\n2\n2\n2\n0\n1\n0\n");
  const Words words{"stop.relative_gap=1e-12", "stop.iterations=100000", "objective.intercept=true"};
  const Json result =
      made(folder, with(words, {"--lambdas", "3", "--ratio", "0.05", "--folds", "folds.txt"}));
  const Words rows = lines(folder.get("train.csv")), folds = lines(folder.get("folds.txt"));
  for (const Json& row : result.at("cross_validation").at("rows")) {
    double mean = 0.0;
    for (const char* fold : {"1", "2"}) {
      std::string rest = rows[0] + '\n', held = rest;
      for (std::size_t i = 0; i < folds.size(); ++i) (folds[i] == fold ? held : rest) += rows[i + 1] + '\n';
      folder.put("rest.csv", rest);
      folder.put("held.csv", held);
      (void)one(folder, with(words, {lambda_of(row), "objective.data=rest.csv", "--out", "rest"}));
      const auto outcome = ask(folder.path(), {"predict", "rest", "held.csv", "--json"});
      REQUIRE(outcome.code == 0);
      mean += 0.5 * number(Json::parse(outcome.out).at("quality").at("loss"));
    }
    CHECK(number(row.at("loss")) == doctest::Approx(mean).epsilon(1e-5));
  }
  const auto refusal_of = [&](const Words& more) {
    return ask(folder.path(), with(with({"path"}, kModel), more)).err;
  };
  CHECK(contains(refusal_of({"--folds", "folds.txt", "--repeats", "2"}), "drawn"));
  folder.put("short.txt", "1\n2\n");
  CHECK(contains(refusal_of({"--folds", "short.txt"}), "2 rows, and the data have 9"));
  folder.put("wrong.txt", "1\n2.5\n");
  CHECK(contains(refusal_of({"--folds", "wrong.txt"}), "got 2.5 for row 2"));
}

TEST_CASE("path --folds FILE: a row of weight 0 has a line, and its fold is that of the data without it") {
  const TestFolder folder;
  const std::string text = rows_of(60, 3, noisy);
  const Words rows = lines(text);
  std::string all = rows[0] + ",w\n", few = all, folds, few_folds, weights, signed_all, signed_few;
  for (int i = 0; i < 60; ++i) {
    const bool counts = i % 6 != 1;
    const std::string line = rows[static_cast<std::size_t>(i) + 1], fold = std::to_string(1 + i % 3) + '\n',
                      weight = counts ? i % 2 ? "2" : "1" : "0";
    all += line + ',' + weight + '\n';
    folds += fold;
    weights += weight + '\n';
    if (counts) few += line + ',' + weight + '\n', few_folds += fold;
  }
  folder.put("all.csv", all);
  folder.put("few.csv", few);
  folder.put("folds.txt", folds);
  folder.put("few.txt", few_folds);
  folder.put("plain.csv", text);
  folder.put("weights.txt", weights);
  const auto validation = [&](const Words& objective, const std::string& data, const Words& more,
                              const std::string& file) {
    const auto outcome =
        ask(folder.path(), with(with(with({"path", "--json", "penalty.use=l1", "objective.data=" + data,
                                           "objective.response=y", "--lambdas", "5", "--folds", file},
                                          objective),
                                     more),
                                {"stop.relative_gap=1e-8"}));
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    return Json::parse(outcome.out).at("cross_validation").at("rows");
  };
  for (const Words& objective : {Words{"objective.use=linear-model"}, Words{"objective.use=square-root"},
                                 Words{"objective.use=cox"}}) {
    CAPTURE(objective[0]);
    const Json expected = validation(objective, "few.csv", {"objective.weights=w"}, "few.txt");
    CHECK(validation(objective, "all.csv", {"objective.weights=w"}, "folds.txt") == expected);
    CHECK(validation(objective, "all.csv", {"objective.weights=w"}, "few.txt") == expected);
    CHECK(validation(objective, "plain.csv", {"objective.weights=weights.txt"}, "folds.txt") == expected);
  }
  folder.put("short.txt", "1\n2\n");
  const auto wrong = ask(
      folder.path(), {"path", "objective.use=linear-model", "objective.data=all.csv", "objective.response=y",
                      "objective.weights=w", "penalty.use=l1", "--folds", "short.txt"});
  CHECK(contains(wrong.err, "2 rows, and the data have 50"));
}

TEST_CASE("path --over: a parameter that does not exist is refused with those that do") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(9, 3, noisy));
  const auto said = [&](const std::string& over) {
    return ask(folder.path(), {"path", "objective.use=linear-model", "objective.data=train.csv",
                               "penalty.use=l1", "--over", over});
  };
  CHECK(said("penalty.ratio=0.1,0.5").code == 2);
  check_mentions(said("penalty.ratio=0.1,0.5").err,
                 {"penalty.ratio", "penalty/l1 has no parameter 'ratio'", "it knows lambda, rho"});
  check_mentions(said("penalty.radios=0.1,0.5").err, {"did you mean 'radius'"});
}

TEST_CASE("path --folds K: the number is a number of folds, also where a file has that name") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(9, 3, noisy));
  const auto path = [&](const std::string& folds) {
    return made(folder, {"stop.iterations=1000", "--lambdas", "3", "--folds", folds}).at("cross_validation");
  };
  const Json alone = path("3");
  folder.put("3", "1\n1\n0\n2\n2\n2\n0\n1\n0\n");
  CHECK(path("3") == alone);
  CHECK(path("./3") != alone);
}

TEST_CASE("path --folds: each row held back once makes the mean that one gets by hand") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(9, 3, noisy));
  const Words words{"stop.relative_gap=1e-12", "stop.iterations=100000", "objective.intercept=true"};
  const Json result = made(folder, with(words, {"--lambdas", "3", "--ratio", "0.05", "--folds", "9"}));
  const Words rows = lines(folder.get("train.csv"));
  for (const Json& row : result.at("cross_validation").at("rows")) {
    std::vector<double> losses;
    for (std::size_t held = 1; held < rows.size(); ++held) {
      std::string rest;
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (i != held) rest += rows[i] + '\n';
      folder.put("rest.csv", rest);
      folder.put("held.csv", rows[0] + '\n' + rows[held] + '\n');
      (void)one(folder, with(words, {lambda_of(row), "objective.data=rest.csv", "--out", "rest"}));
      const auto outcome = ask(folder.path(), {"predict", "rest", "held.csv", "--json"});
      REQUIRE(outcome.code == 0);
      losses.push_back(number(Json::parse(outcome.out).at("quality").at("loss")));
    }
    double mean = 0.0, spread = 0.0;
    for (const double loss : losses) mean += loss / 9.0;
    for (const double loss : losses) spread += (loss - mean) * (loss - mean) / 9.0 / 8.0;
    CHECK(number(row.at("loss")) == doctest::Approx(mean).epsilon(1e-5));
    CHECK(number(row.at("loss_error")) == doctest::Approx(std::sqrt(spread)).epsilon(1e-5));
    CHECK(number(row.at("mse")) == doctest::Approx(2.0 * mean).epsilon(1e-5));
  }
  check_rules(result);
}

TEST_CASE(
    "path --folds: the planted columns are found, by the rule of one standard error with fewer others") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(80, 40, noisy));
  const Json result = made(folder, {"--lambdas", "30", "--ratio", "1e-2", "--folds", "5", "--out", "kept"});
  check_rules(result);
  const auto support = [&](const char* rule) {
    return number(result.at("rows")[result.at("chosen").at(rule).at("row").get<std::size_t>()].at("support"));
  };
  CHECK(support("one-standard-error") < support("best"));
  CHECK(support("one-standard-error") >= 3);
  CHECK(support("one-standard-error") < 12);
  // Both are folders of runs, solved on all rows.
  for (const char* rule : {"best", "one-standard-error"}) {
    const Json kept = Json::parse(folder.get("kept/" + std::string(rule) + "/result.json"));
    const Json& row = result.at("rows")[result.at("chosen").at(rule).at("row").get<std::size_t>()];
    CHECK(kept.at("value") == row.at("value"));
    CHECK(kept.at("terms") == 80);
    CHECK(kept.at("components") == 80);
    const auto predicted = ask(folder.path(), {"predict", "kept/" + std::string(rule), "train.csv"});
    CHECK(predicted.code == 0);
    CHECK(lines(predicted.out).size() == 81);
    // Its specification makes it again.
    const auto again =
        ask(folder.path(), {"run", "kept/" + std::string(rule) + "/spec.ini", "--json", "--quiet"});
    REQUIRE(again.code == 0);
    CHECK(number(Json::parse(again.out).at("value")) ==
          doctest::Approx(number(row.at("value"))).epsilon(2e-4));
  }
}

TEST_CASE("path --by: of every measure the best is the least or the largest, as it is meant") {
  const TestFolder folder;
  const auto by = [&](const Words& words, const std::string& measure, bool better) {
    const Words asked{"--lambdas", "7", "--ratio", "0.01", "--folds", "3", "--by", measure};
    check_rules(made(folder, with(words, asked)), measure, better);
  };
  folder.put("train.csv", rows_of(60, 12, noisy));
  for (const auto& [measure, better] :
       {std::pair("mse", false), {"rmse", false}, {"mae", false}, {"r2", true}})
    by({}, measure, better);
  folder.put("train.csv", rows_of(60, 12, cat_or_dog));
  for (const char* measure : {"accuracy", "auc"}) by({"objective.loss=logistic"}, measure, true);
  // Times that are longer where z is small, all of them seen.
  folder.put("train.csv", rows_of(60, 12, [](double z, double noise) {
               return std::to_string(std::exp(2.0 * noise - z)) + ",1";
             }));
  std::string text = folder.get("train.csv");
  text.replace(text.find("y\n"), 1, "y,event");
  folder.put("train.csv", text);
  by({"objective.use=cox", "objective.response=y", "objective.event=event"}, "concordance", true);
}

TEST_CASE("path --folds: classes by name, numbers as classes, rows with weights, scaled columns") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(60, 6, cat_or_dog));
  Json result =
      made(folder, {"objective.loss=logistic", "objective.intercept=true", "objective.standardize=true",
                    "--lambdas", "8", "--folds", "4", "--out", "kept"});
  check_rules(result);
  const std::size_t best = result.at("chosen").at("best").at("row");
  CHECK(number(result.at("cross_validation").at("rows")[best].at("accuracy")) > 0.75);
  CHECK(contains(ask(folder.path(), {"predict", "kept/best", "train.csv"}).out, "dog"));

  folder.put("train.csv", rows_of(90, 4, kind));
  result = made(folder, {"objective.loss=multinomial", "--lambdas", "6", "--folds", "3"});
  check_rules(result);
  CHECK(number(result.at("cross_validation").at("rows")[5].at("accuracy")) > 0.6);

  // A row of weight 2 in place of two: each fold's loss weighs it so.
  folder.put("train.csv", rows_of(30, 4, noisy));
  std::string ones, twos;
  for (int i = 0; i < 30; ++i) ones += "1\n", twos += "2\n";
  folder.put("ones.txt", ones), folder.put("twos.txt", twos);
  const Words words{"--lambdas", "4", "--folds", "3", "stop.relative_gap=1e-10", "stop.iterations=100000"};
  const Json plain = made(folder, words), of_ones = made(folder, with(words, {"objective.weights=ones.txt"})),
             of_twos = made(folder, with(words, {"objective.weights=twos.txt"}));
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(number(of_ones.at("cross_validation").at("rows")[k].at("loss")) ==
          doctest::Approx(number(plain.at("cross_validation").at("rows")[k].at("loss"))).epsilon(1e-6));
    CHECK(number(of_twos.at("cross_validation").at("rows")[k].at("loss")) ==
          doctest::Approx(number(plain.at("cross_validation").at("rows")[k].at("loss"))).epsilon(1e-6));
  }
}

TEST_CASE("path --folds: a seed draws the same folds on any number of threads") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(50, 10, noisy));
  const auto folds = [&](const Words& more) {
    return made(folder, with({"--lambdas", "6", "--folds", "4"}, more)).at("cross_validation").dump();
  };
  const std::string first = folds({"--seed", "3"});
  CHECK(folds({"--seed", "3"}) == first);
  CHECK(folds({"--seed", "3", "--threads", "2"}) == first);
  CHECK(folds({"--seed", "4"}) != first);
}

TEST_CASE("path --select bic: twice the negative log-likelihood and the price of the support") {
  const TestFolder folder;
  using Answer = std::string (*)(double, double);
  for (const auto& [loss, answer] : std::vector<std::pair<std::string, Answer>>{
           {"squared", noisy}, {"logistic", cat_or_dog}, {"poisson", how_many}}) {
    CAPTURE(loss);
    folder.put("train.csv", rows_of(80, 20, answer));
    const Json result =
        made(folder, {"objective.loss=" + loss, "objective.intercept=true", "--lambdas", "20", "--ratio",
                      "1e-2", "--select", "bic", "--out", "kept", "stop.relative_gap=1e-8"});
    std::size_t best = 0;
    for (std::size_t k = 0; k < 20; ++k)
      if (number(result.at("rows")[k].at("bic")) < number(result.at("rows")[best].at("bic"))) best = k;
    CHECK(result.at("chosen").at("best").at("row") == best);
    // By hand, from what the kept solution predicts.
    const auto outcome = ask(folder.path(), {"predict", "kept/best", "train.csv", "--json"});
    REQUIRE(outcome.code == 0);
    const double mean = number(Json::parse(outcome.out).at("quality").at("loss")),
                 price = number(result.at("rows")[best].at("support")) * std::log(80.0);
    CHECK(number(result.at("rows")[best].at("bic")) ==
          doctest::Approx((loss == "squared" ? 80.0 * std::log(2.0 * mean) : 160.0 * mean) + price)
              .epsilon(1e-7));
  }
  CHECK(contains(ask(folder.path(), path({"objective.loss=huber", "--select", "bic"})).err, "likelihood"));
}

TEST_CASE("path: of a penalty without max, over the lambdas that are given") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(80, 6, noisy));
  for (const std::string loss : {"squared", "huber"}) {
    const Words asked{"penalty.use=ridge", "objective.loss=" + loss, "objective.intercept=yes"};
    const Json result = made(folder, with(asked, {"--grid", "0.01,10,1", "--folds", "4"}));
    REQUIRE(result.at("rows").size() == 3);
    check_rules(result);
    CHECK(result.at("path").at("max").is_null());
    for (const Json& row : result.at("rows")) {
      const Json alone = one(folder, with(asked, {lambda_of(row), "stop.relative_gap=1e-10"}));
      CHECK(number(row.at("value")) == doctest::Approx(number(alone.at("value"))).epsilon(2e-4));
    }
    // A ridge of 1e9 leaves the intercept alone.
    const Json none = one(folder, with(asked, {"penalty.lambda=1e9", "stop.relative_gap=1e-10"}));
    const Json& row = result.at("rows")[2];
    const double x = 0.5 * 0.01 * 14.0, fit = number(row.at("value")) - x;  // about: c = (3, -2, 1)
    CHECK(number(row.at("explained")) == doctest::Approx(1.0 - fit / number(none.at("value"))).epsilon(1e-2));
  }
}

TEST_CASE(
    "path: the grid of a ridge begins where that of an elastic net with a thousandth of magnitudes does") {
  const TestFolder folder;
  const std::vector<std::pair<std::string, std::string (*)(double, double)>> models{
      {"squared", noisy}, {"logistic", cat_or_dog}, {"poisson", how_many}};
  for (const auto& [loss, answer] : models) {
    CAPTURE(loss);
    folder.put("train.csv", rows_of(80, 6, answer));
    const Words asked{"objective.loss=" + loss, "objective.intercept=yes", "--folds", "3", "--lambdas", "12"};
    const auto first = [&](const Words& more) { return made(folder, with(asked, more)).at("rows")[0]; };
    const double magnitudes = number(first({"penalty.use=elastic-net", "penalty.ratio=1e-3"}).at("lambda"));
    const Json ridge = made(folder, with(asked, {"penalty.use=ridge"}));
    check_rules(ridge);
    CHECK(number(ridge.at("rows")[0].at("lambda")) == doctest::Approx(magnitudes).epsilon(1e-9));
    CHECK(number(ridge.at("rows")[0].at("explained")) < 0.1);
  }
}

TEST_CASE("path: over the radius of a ball the share explained is that of the loss") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(80, 6, noisy));
  const Words model{"path",
                    "--quiet",
                    "--json",
                    "objective.use=linear-model",
                    "objective.data=train.csv",
                    "objective.intercept=yes",
                    "set.use=l1-ball",
                    "--grid",
                    "0.5,2,100"};
  const auto outcome = ask(folder.path(), model);
  REQUIRE(outcome.code == 0);
  const Json rows = Json::parse(outcome.out).at("rows");
  const double none = number(one(folder, {"penalty.use=ridge", "objective.intercept=yes",
                                          "penalty.lambda=1e9", "stop.relative_gap=1e-10"})
                                 .at("value"));
  for (const Json& row : rows)
    CHECK(number(row.at("explained")) == doctest::Approx(1.0 - number(row.at("value")) / none).epsilon(1e-6));
  CHECK(number(rows[0].at("explained")) > 0.0);
  CHECK(number(rows[2].at("explained")) > number(rows[1].at("explained")));
}

TEST_CASE("path: what makes no sense is refused before the first step") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(12, 4, noisy));
  const std::vector<std::pair<Words, std::string>> cases{
      {{"penalty.use=tv"}, "--grid 10,1,0.1"},
      {{"penalty.use=box"}, "'box' has no lambda"},
      {{"penalty.use=l11"}, "l1"},
      {{"--folds", "13"}, "13 folds of 12 rows"},
      {{"--folds", "1"}, "expected at least 2 folds, got 1"},
      {{"--folds", "0"}, "--folds"},
      {{"--ratio", "1"}, "expected a number between 0 and 1, got '1'"},
      {{"--ratio", "2"}, "expected a number between 0 and 1, got '2'"},
      {{"--ratio", "0"}, "expected a number between 0 and 1, got '0'"},
      {{"--ratio", "x"}, "--ratio"},
      {{"--explained", "0"}, "expected a number between 0 and 1, got '0'"},
      {{"--explained", "1.5"}, "expected a number between 0 and 1, got '1.5'"},
      {{"--lambdas", "0"}, "--lambdas"},
      {{"--select", "mic"}, "mic"},
      {{"--by", "auc"}, "--by: is about folds"},
      {{"--repeats", "2"}, "add --folds"},
      {{"--folds", "3", "--by", "auc"}, "auc is of two classes"},
      {{"--folds", "3", "--stratified"}, "numbers and not classes"},
      {{"--select", "bic", "--folds", "3"}, "give one of them"},
      {{"penalty.use=ridge", "--grid", "1,2", "--select", "bic"}, "leaves none out"},
      {{"run.trials=3"}, "trials"},
      {{"objective.errors_in_variables=0.1", "--folds", "3"}, "errors in variables"},
      {{"stop.iteratons=4"}, "iterations"}};
  for (const auto& [words, said] : cases) {
    CAPTURE(words);
    const auto outcome = ask(folder.path(), with(path(words), {"--out", "kept"}));
    CHECK(outcome.code != 0);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, said));
    CHECK_FALSE(fs::exists(folder / "kept"));
  }
  const auto none = ask(folder.path(), {"path", "objective.use=linear-model", "objective.data=train.csv"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "no penalty given: a path varies its lambda"));
  // One dog: the fold that holds it back trains on cats alone.
  std::string rows = "a,y\n";
  for (int i = 0; i < 10; ++i) rows += std::to_string(i * 0.1) + (i == 4 ? ",dog\n" : ",cat\n");
  folder.put("train.csv", rows);
  const auto one_class = ask(folder.path(), path({"objective.loss=logistic", "--folds", "5"}));
  CHECK(one_class.code == 4);
  CHECK(contains(one_class.err, "one class only"));
  // No column is correlated with the response.
  folder.put("train.csv", "a,y\n0,1\n0,2\n0,3\n");
  CHECK(contains(ask(folder.path(), path({})).err, "max is 0"));
}

TEST_CASE("path: interrupted, the lambdas that were solved are kept, and a second path replaces the first") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(300, 200, noisy));
  const Words words =
      path({"algorithm.use=proximal-gradient", "algorithm.accelerate=no", "stop.relative_gap=1e-9",
            "--lambdas", "10000", "--ratio", "1e-4", "--out", "kept"});
  Launch start;
  start.words = words, start.folder = folder.path();
  Child child(start);
  wait_for(folder / "kept/path.csv");
  REQUIRE(becomes_true([&] { return lines(folder.get("kept/path.csv")).size() > 1; }));
  child.signal(SIGINT);
  const Outcome outcome = child.wait();
  CHECK(outcome.code == 130);
  CHECK(contains(outcome.err, "interrupted: "));
  const Json result = Json::parse(folder.get("kept/result.json"));
  const std::size_t done = result.at("rows").size();
  CHECK(done > 0);
  CHECK(done < 10000);
  CHECK(result.at("path").at("complete") == false);
  CHECK(result.at("path").at("interrupted") == true);
  CHECK(claros::read_matrix_market_coordinate(folder / "kept/coefficients.mtx").cols ==
        static_cast<int>(done));
  CHECK(lines(folder.get("kept/path.csv")).size() == done + 1);
  for (const Json& row : result.at("rows")) CHECK(row.at("status") == "relative-gap");

  (void)made(folder, {"--lambdas", "4", "--folds", "2", "--out", "kept"});
  CHECK(lines(folder.get("kept/path.csv")).size() == 5);
  CHECK(fs::exists(folder / "kept/best/result.json"));
  (void)made(folder, {"--lambdas", "3", "--out", "kept"});
  CHECK_FALSE(fs::exists(folder / "kept/best"));  // of the path before
  // Folders of runs and of paths do not replace each other.
  CHECK(contains(ask(folder.path(),
                     with(with({"run"}, kModel), {"penalty.lambda=1", "stop.iterations=2", "--out", "kept"}))
                     .err,
                 "but no earlier run"));
  (void)one(folder, {"penalty.lambda=1", "stop.iterations=2", "--out", "run"});
  CHECK(contains(ask(folder.path(), path({"--out", "run"})).err, "but no earlier path"));
  CHECK(lines(folder.get("kept/path.csv")).size() == 4);
}

TEST_CASE("path: its accuracy is its own unless a target is named, and budgets of [stop] stay") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(40, 10, noisy));
  for (const Words& stop : {Words{}, Words{"stop.iterations=5000"}, Words{"stop.seconds=100"}}) {
    const Json result = made(folder, with(stop, {"--lambdas", "5", "--ratio", "0.05"}));
    CHECK(result.at("path").at("accuracy") == Json{{"relative_gap", 1e-4}});
    for (const Json& row : result.at("rows")) CHECK(row.at("status") == "relative-gap");
  }
  CHECK(made(folder, {"--lambdas", "3", "stop.gap=1e-3"}).at("path").at("accuracy") == Json{{"gap", 1e-3}});
  CHECK(made(folder, {"--lambdas", "3", "penalty.use=scad", "--ratio", "0.1"}).at("path").at("accuracy") ==
        Json{{"residual", 1e-4}});
  const auto outcome = ask(folder.path(), path({"--lambdas", "3"}));
  CHECK(contains(outcome.out, "each lambda to a relative gap of 1e-04"));
}

TEST_CASE("path: it stops where the model is saturated and reports it; --explained 1 turns that off") {
  const TestFolder folder;
  folder.put("train.csv",
             rows_of(60, 12, [](double z, double noise) { return std::to_string(z + 0.01 * noise); }));
  const Words words{"--lambdas", "30", "--ratio", "1e-3", "--out", "kept"};
  const Json all = made(folder, with(words, {"--explained", "1"})), early = made(folder, words);
  CHECK(all.at("rows").size() == 30);
  CHECK(all.at("path").at("saturated").is_null());
  const std::size_t solved = early.at("rows").size();
  REQUIRE(solved < 30);
  CHECK(early.at("path").at("complete") == true);
  CHECK(contains(early.at("path").at("saturated").get<std::string>(), "explains"));
  for (std::size_t k = 0; k < solved; ++k) {
    CHECK((number(early.at("rows")[k].at("explained")) > 0.999) == (k + 1 == solved));
    CHECK(early.at("rows")[k].at("value") == all.at("rows")[k].at("value"));
  }
  CHECK(lines(folder.get("kept/path.csv")).size() == solved + 1);
  CHECK(made(folder, with(words, {"--explained", "0.9"})).at("rows").size() < solved);
  const auto outcome = ask(folder.path(), path(words));
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err,
                 "stopped after " + std::to_string(solved) + " of 30 lambdas: the model explains 0.99"));
  CHECK(contains(outcome.err, "--explained 1"));
  // As many columns as rows: nearly as many coefficients as rows before the share is reached.
  folder.put("train.csv", rows_of(30, 90, noisy));
  const Json wide = made(folder, {"--lambdas", "200", "--ratio", "1e-6", "--explained", "0.99999999"});
  CHECK(contains(wide.at("path").at("saturated").get<std::string>(), "coefficients for 30 rows"));
}

TEST_CASE("path: what folds choose is that of the whole grid, and an end of the grid is a warning") {
  const TestFolder folder;
  for (const double noise : {0.0, 0.01, 1.0}) {
    folder.put("train.csv",
               rows_of(60, 12, [&](double z, double other) { return std::to_string(z + noise * other); }));
    for (const Words& chooses : {Words{"--folds", "3"}, Words{"--select", "bic"}}) {
      const Words words = with({"--lambdas", "30"}, chooses);
      const auto outcome = ask(folder.path(), with(path(words), {"--json"}));
      CAPTURE(outcome.err);
      REQUIRE(outcome.code == 0);
      const Json some = Json::parse(outcome.out), all = made(folder, with(words, {"--explained", "1"}));
      const bool widened = some.at("path").at("lambdas") > 30;
      CHECK(widened == (all.at("edge").is_string() && noise < 1.0));
      if (!widened) CHECK(some.at("chosen").at("best") == all.at("chosen").at("best"));
      CHECK(some.at("edge").is_null() == !contains(outcome.err, "warning: the best lambda is"));
      // Which of tiny lambdas has the least bic of exact responses is a matter of the tolerance.
      if (noise == 0.0 && chooses.front() == "--folds")
        CHECK(contains(outcome.err, "a smaller one may be better (lower --ratio)"));
      if (noise == 0.01) CHECK(some.at("edge").is_null());
      if (noise == 1.0) CHECK(some.at("edge").is_null());
      if (widened && noise == 0.0) {
        Words loud = path(words);
        std::erase(loud, "--quiet");
        CHECK(contains(ask(folder.path(), loud).err,
                       "the best lambda was the smallest of the grid: 10 smaller"));
      }
    }
  }
  const auto given = ask(folder.path(), path({"--grid", "3,2,1", "--folds", "3", "--out", "kept"}));
  CHECK(contains(given.err,
                 "warning: the best lambda is the smallest of the grid: a smaller one may be "
                 "better (add it to --grid)"));
  REQUIRE(ask(folder.path(), {"report", "kept"}).code == 0);
  CHECK(contains(folder.get("kept/report.html"), "Warning: the best lambda is the smallest of the grid"));
}

TEST_CASE("path: killed, it leaves the lambdas that were solved, and the next path takes their place") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(300, 200, noisy));
  const Words words =
      path({"algorithm.use=proximal-gradient", "algorithm.accelerate=no", "stop.relative_gap=1e-9",
            "--lambdas", "10000", "--ratio", "1e-4", "--out", "kept"});
  (void)made(folder, {"--lambdas", "3", "--out", "kept"});
  for (int kill = 0; kill < 3; ++kill) {
    Launch start;
    start.words = words, start.folder = folder.path();
    Child child(start);
    // Until it has written a second time.
    std::size_t first = 0, rows = 0;
    (void)becomes_true([&] {
      rows = fs::exists(folder / "kept/path.csv") ? lines(folder.get("kept/path.csv")).size() : 0;
      if (first == 0 && rows > 4) first = rows;
      return first > 0 && rows > first;
    });
    child.signal(SIGKILL);
    CHECK(child.wait().code == 128 + SIGKILL);
    REQUIRE(rows > first);
    const std::string at_least = std::to_string(rows);
    CAPTURE(at_least);
    const Json result = Json::parse(folder.get("kept/result.json"));
    CHECK(result.at("rows").size() + 1 >= first);
    CHECK(result.at("path").at("complete") == false);
    CHECK(result.at("path").at("interrupted") == false);
    CHECK(lines(folder.get("kept/path.csv")).size() >= rows);
    CHECK(claros::read_matrix_market_coordinate(folder / "kept/coefficients.mtx").cols + 1 >=
          static_cast<int>(first));
    for (const Json& row : result.at("rows")) CHECK(row.at("status") == "relative-gap");
    (void)made(folder, {"--lambdas", "3", "--out", "kept"});
    CHECK(lines(folder.get("kept/path.csv")).size() == 4);
    CHECK(Json::parse(folder.get("kept/result.json")).at("path").at("complete") == true);
  }
}

TEST_CASE("path: progress shows the number of lambdas and the time left") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(600, 300, noisy));
  Launch start;
  start.words =
      with({"path"}, with(kModel, {"algorithm.use=proximal-gradient", "algorithm.accelerate=no",
                                   "stop.relative_gap=1e-9", "--lambdas", "10000", "--ratio", "1e-2"}));
  start.folder = folder.path(), start.terminal = true;
  Child child(start);
  CHECK(child.shows(" left: "));
  child.signal(SIGINT);
  const Outcome outcome = child.wait();
  CHECK(outcome.code == 130);
  CHECK(contains(outcome.out, "/10000 penalty.lambda="));
  CHECK(contains(outcome.out, " left: "));
}

TEST_CASE("path: pictures of its coefficients and of its folds" * doctest::skip(!can_draw())) {
  const TestFolder folder;
  folder.put("train.csv", rows_of(40, 9, noisy));
  (void)made(folder, {"--lambdas", "8", "--folds", "3", "--out", "kept"});
  REQUIRE(ask(folder.path(), {"plot", "kept", "--out", "path.svg"}).code == 0);
  const std::string svg = folder.get("path.svg");
  for (const char* word : {"c0", "c1", "penalty.lambda", "one-standard-error", "coefficient"})
    CHECK(contains(svg, word));
  REQUIRE(ask(folder.path(), {"plot", "kept", "--y", "error", "--out", "error.svg"}).code == 0);
  CHECK(contains(folder.get("error.svg"), "mean loss on rows held back"));
  const auto shown = ask(folder.path(), {"plot", "kept"});
  CHECK(shown.code == 0);
  CHECK(contains(shown.out, "c0"));
  CHECK(ask(folder.path(), {"plot", "kept", "--y", "error"}).code == 0);
  CHECK(contains(ask(folder.path(), {"plot", "kept", "--y", "gap"}).err, "coefficients or error"));
  CHECK(contains(ask(folder.path(), {"plot", "kept", "--x", "seconds"}).err, "--x"));
  (void)made(folder, {"--lambdas", "3", "--out", "plain"});
  CHECK(contains(ask(folder.path(), {"plot", "plain", "--y", "error"}).err, "no cross-validation"));
  CHECK(contains(ask(folder.path(), {"plot", "kept", "plain"}).err, "one path at a time"));
}

TEST_CASE("path: the coefficients of the choice are printed and written by name, the largest first") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(60, 6, noisy));
  const Outcome outcome =
      ask(folder.path(),
          path({"objective.intercept=yes", "--lambdas", "20", "--select", "bic", "--out", "kept"}));
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const auto at = [&](const std::string& text) {
    return outcome.out.find(text, outcome.out.find("\nbest:\n"));
  };
  CHECK(at("\nc0 ") != outcome.out.npos);
  CHECK(at("\nc0 ") < at("\nc1 "));
  CHECK(at("\nc1 ") < at("\nc2 "));
  // The file has the coefficients of every lambda: those of the choice are those of its folder.
  const Json record = Json::parse(folder.get("kept/result.json"));
  const std::string lambda = claros::print_real(record.at("chosen").at("best").at("lambda").get<double>());
  std::string chosen = "name,coefficient\n";
  const Words all = lines(folder.get("kept/coefficients.csv"));
  CHECK(all.front() == "lambda,name,coefficient");
  for (const std::string& row : all)
    if (row.starts_with(lambda + ',')) chosen += row.substr(lambda.size() + 1) + '\n';
  CHECK(chosen == folder.get("kept/best/solution/coefficients.csv"));
  // The intercept is no variable of the picture.
  const Outcome drawn = ask(folder.path(), {"plot", "kept"});
  if (drawn.code != 0) return;  // no gnuplot
  CHECK(contains(drawn.out, "c0"));
  CHECK_FALSE(contains(drawn.out, "column 7"));
}

TEST_CASE("path: ratings that are held out choose the lambda") {
  const TestFolder folder;
  put_problem(folder);
  std::string train, held;
  for (int i = 1; i <= 12; ++i)
    for (int j = 1; j <= 9; ++j) {
      const std::string line = std::to_string(i) + ',' + std::to_string(j) + ',';
      const double value = 0.2 * i * j + ((i * 7 + j * 5) % 11 - 5) * 0.3;  // rank one and noise
      ((i * 5 + j * 3) % 4 == 0 ? held : train) += line + std::to_string(value) + '\n';
    }
  folder.put("train.csv", train), folder.put("held.csv", held);
  const Words problem{"path",
                      "--quiet",
                      "objective.use=matrix-completion",
                      "objective.data=train.csv",
                      "penalty.use=nuclear",
                      "--lambdas",
                      "12",
                      "--ratio",
                      "0.001",
                      "--json"};
  const auto outcome = ask(folder.path(), with(problem, {"objective.test=held.csv", "--by", "test_rmse"}));
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const Json record = Json::parse(outcome.out);
  CHECK(record.at("chosen_by") == "test_rmse");
  const auto& rows = record.at("rows");
  const auto& best = rows.at(record.at("chosen").at("best").at("row").get<std::size_t>());
  for (const auto& row : rows) CHECK(best.at("test_rmse").get<double>() <= row.at("test_rmse").get<double>());
  CHECK(best.at("test_rmse").get<double>() < 0.9 * rows.front().at("test_rmse").get<double>());
  // As run says of that lambda.
  const auto run =
      ask(folder.path(),
          {"run", "--quiet", "--json", "objective.use=matrix-completion", "objective.data=train.csv",
           "objective.test=held.csv", "penalty.use=nuclear", "stop.relative_gap=1e-8",
           "penalty.lambda=" + claros::print_real(best.at("lambda").get<double>())});
  REQUIRE_MESSAGE(run.code == 0, run.err);
  CHECK(Json::parse(run.out).at("test_rmse").get<double>() ==
        doctest::Approx(best.at("test_rmse").get<double>()).epsilon(0.02));
  const auto refused = ask(folder.path(), with(problem, {"--by", "test_rmse"}));
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "objective.test"));
}

namespace {

/// train.csv and held.csv: ratings of a matrix of rank one with noise.
void put_ratings(const TestFolder& folder, double noise = 0.3) {
  std::string train, held;
  for (int i = 1; i <= 12; ++i)
    for (int j = 1; j <= 9; ++j) {
      const double value = 0.2 * i * j + ((i * 7 + j * 5) % 11 - 5) * noise;
      ((i * 5 + j * 3) % 4 == 0 ? held : train) +=
          std::to_string(i) + ',' + std::to_string(j) + ',' + std::to_string(value) + '\n';
    }
  folder.put("train.csv", train), folder.put("held.csv", held);
}

const Words kRatings{"objective.use=matrix-completion", "objective.data=train.csv", "set.use=nuclear-ball"};

Outcome path_of_ratings(const TestFolder& folder, const Words& more) {
  return ask(folder.path(), with(with({"path"}, kRatings), more));
}

Json made_of_ratings(const TestFolder& folder, const Words& more) {
  const auto outcome = path_of_ratings(folder, with({"--json", "--quiet"}, more));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("path over a radius: rises to max, where f has its minimum; every row is what a run makes") {
  const TestFolder folder;
  put_ratings(folder);
  const Words words{"stop.relative_gap=1e-6", "stop.gap=1e-9", "objective.center=biases"};
  const Json record =
      made_of_ratings(folder, with(words, {"--lambdas", "6", "--ratio", "0.01", "--out", "kept"}));
  const Json& rows = record.at("rows");
  CHECK(record.at("path").at("parameter") == "set.radius");
  REQUIRE(rows.size() == 6);
  const double max = number(record.at("path").at("max"));
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(number(rows[k].at("lambda")) ==
          doctest::Approx(max * std::pow(0.01, static_cast<double>(5 - k) / 5.0)).epsilon(1e-12));
    const auto run =
        ask(folder.path(),
            with(with({"run", "--quiet", "--json", "set.radius=" + rows[k].at("lambda").dump()}, kRatings),
                 words));
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const Json cold = Json::parse(run.out);
    const double apart = std::abs(number(rows[k].at("value")) - number(cold.at("value")));
    CHECK(apart <= number(rows[k].at("gap")) + number(cold.at("gap")) + 1e-12);
  }
  CHECK(number(rows[5].at("value")) <= 1e-9);  // the data themselves lie in the ball
  CHECK(number(rows[0].at("support")) < number(rows[5].at("support")));
  const auto report = ask(folder.path(), {"report", "kept"});
  REQUIRE_MESSAGE(report.code == 0, report.err);
  const std::string page = folder.get("kept/report.html");
  CHECK(contains(page, "The radii"));
  CHECK(contains(page, "rank"));
}

TEST_CASE("path --by ndcg@K: the number is that of predict --ranking, and its largest chooses") {
  const TestFolder folder;
  put_ratings(folder);
  const Words words{"objective.test=held.csv", "--by", "ndcg@3", "--relevant", "4", "--grid", "2,30,5",
                    "stop.relative_gap=1e-6"};
  const Json record = made_of_ratings(folder, with(words, {"--out", "kept"}));
  CHECK(record.at("chosen_by") == "ndcg@3");
  const Json& rows = record.at("rows");
  REQUIRE(rows.size() == 3);
  CHECK(number(rows[0].at("lambda")) == 2.0);
  CHECK(number(rows[2].at("lambda")) == 30.0);
  const std::size_t best = record.at("chosen").at("best").at("row").get<std::size_t>();
  for (const Json& row : rows) CHECK(number(row.at("ndcg@3")) <= number(rows[best].at("ndcg@3")));
  const auto judged = ask(folder.path(), {"predict", "kept/best", "held.csv", "--ranking", "3", "--relevant",
                                          "4", "--without", "train.csv", "--json"});
  REQUIRE_MESSAGE(judged.code == 0, judged.err);
  CHECK(number(Json::parse(judged.out).at("quality").at("ranking").at("ndcg")) ==
        doctest::Approx(number(rows[best].at("ndcg@3"))).epsilon(1e-9));
  const auto table = path_of_ratings(folder, words);
  CHECK(contains(table.out, "radius  rank"));
  CHECK(contains(table.out, "(the largest ndcg@3 on objective.test)"));
}

TEST_CASE("path: it ends where held-out ratings get worse; --explained 1 goes on") {
  const TestFolder folder;
  put_ratings(folder, 3.0);
  const Words words{"objective.test=held.csv", "--lambdas", "40", "--ratio", "0.002"};
  const auto ended = path_of_ratings(folder, with(words, {"--json"}));
  REQUIRE_MESSAGE(ended.code == 0, ended.err);
  CHECK(contains(ended.err, "the RMSE on objective.test is best at radius"));
  const Json some = Json::parse(ended.out), all = made_of_ratings(folder, with(words, {"--explained", "1"}));
  CHECK(some.at("rows").size() < all.at("rows").size());
  CHECK(all.at("rows").size() == 40);
  CHECK(some.at("path").at("complete") == true);
  const auto last = number(some.at("rows").back().at("lambda"));
  CHECK(last >= 2.0 * number(some.at("chosen").at("best").at("lambda")));
}

TEST_CASE("path over a radius: what makes no sense is refused before the first step") {
  const TestFolder folder;
  put_ratings(folder);
  const std::vector<std::pair<Words, std::string>> wrong{
      {{"--by", "ndcg@3"}, "ndcg@3 needs entries that are held out"},
      {{"--by", "ndcg@0", "objective.test=held.csv"}, "expected a number of columns from 1 on"},
      {{"--by", "ndcg@3", "--folds", "3", "objective.test=held.csv"}, "both choose"},
      {{"--by", "ndcg@3", "--relevant", "1e9", "objective.test=held.csv"}, "expected a relevant entry"},
      {{"--relevant", "4"}, "--by names none"},
      {{"--grid", "1,2,-3"}, "expected numbers above 0, got -3"},
      {{"--grid", "1,2,1"}, "1 is given twice"},
      {{"--grid", "1,x"}, "'x' is not a number"},
      {{"--grid", "1,2", "--lambdas", "4"}, "leave --lambdas out"},
      {{"objective.loss=poisson", "objective.data=counts.csv"}, "give the radii: --grid"}};
  folder.put("counts.csv", "1,1,3\n2,2,1\n1,2,0\n");
  for (const auto& [words, sentence] : wrong) {
    Words problem = kRatings;
    if (words.size() == 2 && words[1] == "objective.data=counts.csv") problem.erase(problem.begin() + 1);
    const auto outcome = ask(folder.path(), with(with({"path", "--quiet"}, problem), words));
    CAPTURE(outcome.err);
    CHECK((outcome.code == 2 || outcome.code == 4));
    CHECK(contains(outcome.err, sentence));
  }
  const auto zero = ask(folder.path(), {"path", "--quiet", "objective.use=linear-model",
                                        "objective.data=train.csv", "set.use=birkhoff"});
  CHECK(zero.code == 2);
  CHECK(contains(zero.err, "or the radius of a set without a penalty"));
}

TEST_CASE("path over a radius with folds: each radius is held against the ratings held back") {
  const TestFolder folder;
  put_ratings(folder);
  const Words words{"objective.center=mean", "--grid", "2,5,15", "--folds", "3", "stop.relative_gap=1e-5"};
  const Json record = made_of_ratings(folder, words);
  const Json& rows = record.at("cross_validation").at("rows");
  REQUIRE(rows.size() == 3);
  const std::size_t best = record.at("chosen").at("best").at("row").get<std::size_t>(),
                    simple = record.at("chosen").at("one-standard-error").at("row").get<std::size_t>();
  for (const Json& row : rows) CHECK(number(rows[best].at("loss")) <= number(row.at("loss")));
  CHECK(simple <= best);
}

TEST_CASE("path --over: the table, the files, the folder of the best, and what each value asked for") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(50, 9, noisy));
  const Words words{"penalty.use=elastic-net",
                    "--lambdas",
                    "5",
                    "--ratio",
                    "0.02",
                    "--folds",
                    "4",
                    "--out",
                    "kept",
                    "--over",
                    "penalty.ratio=0.2,0.9"};
  const Json result = made(folder, words);
  REQUIRE(result.at("rows").size() == 10);
  const Json& slices = result.at("path").at("over").at("slices");
  CHECK(result.at("path").at("over").at("parameter") == "penalty.ratio");
  CHECK(number(slices[0].at("max")) * 0.2 == doctest::Approx(number(slices[1].at("max")) * 0.9));
  CHECK(slices[0].at("solved") == 5);
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(number(result.at("rows")[k].at("penalty.ratio")) == (k < 5 ? 0.2 : 0.9));
    CHECK(number(result.at("cross_validation").at("rows")[k].at("penalty.ratio")) == (k < 5 ? 0.2 : 0.9));
  }
  CHECK(lines(folder.get("kept/path.csv"))[0].starts_with("penalty.ratio,lambda,support,"));
  CHECK(lines(folder.get("kept/path.csv")).size() == 11);
  CHECK(claros::read_matrix_market_coordinate(folder / "kept/coefficients.mtx").cols == 10);
  const Json& best = result.at("chosen").at("best");
  const Json& row = result.at("rows")[best.at("row").get<std::size_t>()];
  CHECK(best.at("penalty.ratio") == row.at("penalty.ratio"));
  CHECK(result.at("chosen").at("one-standard-error").at("penalty.ratio") == best.at("penalty.ratio"));
  // The folder of the best is a run with its ratio and its lambda.
  const auto again = ask(folder.path(), {"run", "kept/best/spec.ini", "--json", "--quiet"});
  REQUIRE(again.code == 0);
  CHECK(number(Json::parse(again.out).at("value")) == doctest::Approx(number(row.at("value"))).epsilon(2e-4));
  CHECK(contains(folder.get("kept/best/spec.ini"), "ratio = " + best.at("penalty.ratio").dump()));
  const auto shown = ask(folder.path(), path(words));
  CHECK(lines(shown.out)[0].starts_with("penalty.ratio"));
  CHECK(contains(shown.out, "best: penalty.ratio="));
  CHECK(contains(ask(folder.path(), path({"penalty.use=elastic-net", "--lambdas", "5", "--ratio", "0.02",
                                          "--over", "penalty.ratio=0.2,0.9", "--explained", "0.5"}))
                     .err,
                 "penalty.ratio=0.2 stopped after"));
  // A range of powers, as in claros tune.
  CHECK(
      made(folder, {"penalty.use=mcp", "--over", "penalty.b=2^1..2^3", "--lambdas", "3"}).at("rows").size() ==
      9);
  for (const auto& [over, said] :
       std::vector<std::pair<std::string, std::string>>{{"penalty.ratio", "penalty.ratio=0.1,0.5,0.9"},
                                                        {"penalty.ratio=7", "penalty.ratio"},
                                                        {"run.seed=1", "the set"}}) {
    const auto outcome =
        ask(folder.path(), path({"penalty.use=elastic-net", "--over", over, "--out", "none"}));
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, said));
    CHECK_FALSE(fs::exists(folder / "none"));
  }
}

TEST_CASE("path --over: killed, it leaves what was solved; its pictures and its page name the value") {
  const TestFolder folder;
  folder.put("train.csv", rows_of(300, 200, noisy));
  Launch start;
  std::string ratios = "penalty.ratio=1";  // so many that none of the first is the last
  for (int k = 1; k < 200; ++k) ratios += "," + claros::print_real(1.0 - 1e-3 * k);
  start.words = path({"penalty.use=elastic-net", "algorithm.use=proximal-gradient", "algorithm.accelerate=no",
                      "stop.relative_gap=1e-9", "--lambdas", "10", "--over", ratios, "--ratio", "1e-3",
                      "--out", "kept"});
  start.folder = folder.path();
  Child child(start);
  REQUIRE(becomes_true(
      [&] { return fs::exists(folder / "kept/path.csv") && lines(folder.get("kept/path.csv")).size() > 3; }));
  child.signal(SIGKILL);
  CHECK(child.wait().code == 128 + SIGKILL);
  const Json cut = Json::parse(folder.get("kept/result.json"));
  CHECK(cut.at("path").at("complete") == false);
  std::size_t solved = 0;
  for (const Json& slice : cut.at("path").at("over").at("slices"))
    solved += slice.at("solved").get<std::size_t>();
  CHECK(solved == cut.at("rows").size());

  folder.put("train.csv", rows_of(40, 9, noisy));
  (void)made(folder, {"penalty.use=elastic-net", "--over", "penalty.ratio=0.2,0.9", "--lambdas", "6",
                      "--folds", "3", "--out", "kept"});
  REQUIRE(ask(folder.path(), {"report", "kept", "--out", "page.html"}).code == 0);
  CHECK(contains(folder.get("page.html"), "--over penalty.ratio=0.2,0.9"));
  if (!can_draw()) return;
  REQUIRE(ask(folder.path(), {"plot", "kept", "--out", "path.svg"}).code == 0);
  CHECK(contains(folder.get("path.svg"), "coefficient, penalty.ratio="));
  REQUIRE(ask(folder.path(), {"plot", "kept", "--y", "error", "--out", "error.svg"}).code == 0);
  for (const char* curve : {"penalty.ratio=0.2", "penalty.ratio=0.9"})
    CHECK(contains(folder.get("error.svg"), curve));
  CHECK(ask(folder.path(), {"plot", "kept", "--y", "error"}).code == 0);
}
