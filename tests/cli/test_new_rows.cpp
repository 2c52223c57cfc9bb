// SPDX-License-Identifier: BSD-3-Clause
// Rows and columns that come after the run: against the run's own rows, and against a plain descent on the
// problem of one row, written anew.
#include "program.hpp"

#include <claros/results/fold_in.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

using namespace claros::test;
using claros::Index;
using claros::Side;
using claros::Solution;

namespace {

constexpr int kRows = 24, kOld = 20, kCols = 10;
enum class Values { numbers, signs, counts, visits };

struct Entry {
  int row, col;
  double value, weight;
};

/// Entries of rank two; rows from kOld on are new.
std::vector<Entry> entries(Values values) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  std::vector<double> a(2 * kRows), b(2 * kCols);
  for (double& one : a) one = normal(engine);
  for (double& one : b) one = normal(engine);
  std::vector<Entry> all;
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kCols; ++j) {
      const double z = a[2 * i] * b[2 * j] + a[2 * i + 1] * b[2 * j + 1] + 0.3 * normal(engine);
      const bool seen = engine() % 10 < 6;
      const double weight = 0.5 + 0.5 * static_cast<double>(engine() % 5);
      const double value = values == Values::numbers  ? 3.0 + z + 0.2 * i - 0.1 * j
                           : values == Values::signs  ? (z > 0 ? 1.0 : -1.0)
                           : values == Values::counts ? std::floor(std::exp(0.7 * z))
                                                      : std::floor(3.0 * std::exp(0.5 * z));
      if (seen) all.push_back({i, j, value, weight});
    }
  return all;
}

std::string text(const std::vector<Entry>& some, const std::string& prefix = "u") {
  std::string all = "user,item,value,weight\n";
  for (const Entry& e : some)
    all += prefix + std::to_string(e.row) + ",i" + std::to_string(e.col) + ',' + std::to_string(e.value) +
           ',' + std::to_string(e.weight) + '\n';
  return all;
}

std::vector<Entry> of_rows(const std::vector<Entry>& all, int from, int to) {
  std::vector<Entry> some;
  std::ranges::copy_if(all, std::back_inserter(some),
                       [&](const Entry& e) { return from <= e.row && e.row < to; });
  return some;
}

struct Case {
  std::string name;
  Values values;
  Words words;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"squares, penalty", Values::numbers, {"penalty.use=nuclear", "penalty.lambda=0.05*max"}},
      {"squares, ball", Values::numbers, {"set.use=nuclear-ball", "set.radius=30"}},
      {"squares, biases",
       Values::numbers,
       {"objective.center=biases", "penalty.use=nuclear", "penalty.lambda=0.1*max"}},
      {"huber, biases",
       Values::numbers,
       {"objective.center=biases", "objective.loss=huber", "penalty.use=nuclear", "penalty.lambda=0.1*max"}},
      {"signs", Values::signs, {"objective.loss=logistic", "penalty.use=nuclear", "penalty.lambda=0.1*max"}},
      {"counts", Values::counts, {"objective.loss=poisson", "penalty.use=nuclear", "penalty.lambda=0.1*max"}},
      {"visits",
       Values::visits,
       {"objective.implicit=yes", "objective.confidence=0.5", "objective.unobserved=0.2",
        "set.use=nuclear-ball", "set.radius=9"}}};
  return all;
}

void fit(const TestFolder& folder, const Case& of, const std::vector<Entry>& training) {
  folder.put("train.csv", text(training));
  const Outcome o = ask(folder.path(), with({"run", "--quiet", "objective.use=matrix-completion",
                                             "objective.data=train.csv", "objective.weights=column",
                                             "stop.relative_gap=1e-9", "stop.seconds=60", "--out", "fit"},
                                            of.words));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  REQUIRE_MESSAGE(contains(o.out + o.err, "relative-gap"), o.err);
}

/// What is predicted of every column for each id.
std::vector<std::vector<double>> predicted(const TestFolder& folder, const Words& ids, const Words& more) {
  std::string pairs;
  for (const std::string& id : ids)
    for (int j = 0; j < kCols; ++j) pairs += id + ",i" + std::to_string(j) + '\n';
  folder.put("pairs.csv", pairs);
  const Outcome o =
      ask(folder.path(), with({"predict", "fit", "pairs.csv", "--header", "no", "--json"}, more));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  std::vector<std::vector<double>> all(ids.size());
  const auto rows = nlohmann::json::parse(o.out).at("rows");
  for (std::size_t k = 0; k < rows.size(); ++k)
    all[k / kCols].push_back(rows[k].at("prediction").get<double>());
  return all;
}

double psi(const std::string& name, double z, double y) {
  if (name == "signs") return std::log1p(std::exp(-y * z));
  if (name == "counts") return std::exp(z) - y * z;
  if (name == "huber, biases") {
    constexpr double kDelta = 1.0;  // the default of the loss
    const double r = std::abs(z - y);
    return r <= kDelta ? 0.5 * r * r : kDelta * (r - 0.5 * kDelta);
  }
  return 0.5 * (z - y) * (z - y);
}

/// argmin F by descent along one coordinate after the other, each to the bottom by ternary search.
std::vector<double> minimiser(std::size_t size, const std::function<double(const std::vector<double>&)>& F) {
  std::vector<double> p(size, 0.0);
  for (int sweep = 0; sweep < 400; ++sweep)
    for (double& one : p) {
      double low = one - 20.0, high = one + 20.0;
      for (int k = 0; k < 120; ++k) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        one = a;
        const double at_a = F(p);
        one = b;
        (at_a < F(p) ? high : low) = at_a < F(p) ? b : a;
      }
      one = 0.5 * (low + high);
    }
  return p;
}

/// The numbers of the columns for one new row, by the definition in fold_in.hpp.
std::vector<double> by_definition(const Case& of, Solution& solution, const std::vector<Entry>& row) {
  const auto& training = solution.training();
  const auto& rule = training.folding;
  const std::vector<double> q = solution.factors(Side::cols);
  const auto r = static_cast<std::size_t>(solution.rank());
  const auto column = [&](int j) {
    for (Index k = 0; k < training.cols.count; ++k)
      if (training.cols.name(k) == "i" + std::to_string(j)) return k;
    return Index{-1};
  };
  const auto z = [&](const std::vector<double>& p, Index j) {
    return std::inner_product(p.begin(), p.end(), q.begin() + j * static_cast<Index>(r), 0.0);
  };
  const auto weight = [&](const Entry& e) {
    return e.weight * (1.0 + rule.confidence.value_or(0.0) * e.value);
  };
  const auto value = [&](const Entry& e) { return rule.confidence ? 1.0 : e.value; };
  double bias = 0.0;
  if (training.baseline.center == "biases")
    bias = minimiser(1, [&](const std::vector<double>& b) {
      double sum = 0.5 * rule.row_bias * b[0] * b[0];
      for (const Entry& e : row)
        sum += weight(e) * psi(of.name, b[0], value(e) - training.baseline.at(-1, column(e.col)));
      return sum;
    })[0];
  const std::vector<double> p = minimiser(r, [&](const std::vector<double>& at) {
    double sum = 0.5 * rule.ridge * std::inner_product(at.begin(), at.end(), at.begin(), 0.0);
    std::vector<bool> seen(static_cast<std::size_t>(training.cols.count));
    for (const Entry& e : row) {
      if (rule.confidence && e.value == 0.0) continue;  // a count of 0 is not observed
      const Index j = column(e.col);
      const double y = value(e) - training.baseline.at(-1, j) - bias;
      sum += weight(e) * psi(of.name, z(at, j), y), seen[static_cast<std::size_t>(j)] = true;
    }
    for (Index j = 0; j < training.cols.count; ++j)
      if (!seen[static_cast<std::size_t>(j)]) sum += 0.5 * rule.unobserved * z(at, j) * z(at, j);
    return sum;
  });
  std::vector<double> all;
  for (int j = 0; j < kCols; ++j) all.push_back(training.baseline.at(-1, column(j)) + bias + z(p, column(j)));
  return all;
}

/// What predict prints of such a number.
double said(const Case& of, double z) {
  return of.name == "signs" ? 1.0 / (1.0 + std::exp(-z)) : of.name == "counts" ? std::exp(z) : z;
}

}  // namespace

TEST_CASE("new rows: a row of the training data, fitted anew, is that of the run") {
  for (const Case& of : cases()) {
    CAPTURE(of.name);
    const TestFolder folder;
    const std::vector<Entry> old = of_rows(entries(of.values), 0, kOld);
    fit(folder, of, old);
    folder.put("again.csv", text(old, "again"));
    Words run, again;
    for (int i = 0; i < kOld; ++i)
      run.push_back("u" + std::to_string(i)), again.push_back("again" + std::to_string(i));
    const auto first = predicted(folder, run, {}),
               second = predicted(folder, again, {"--new-rows", "again.csv"});
    for (std::size_t i = 0; i < first.size(); ++i)
      for (std::size_t j = 0; j < first[i].size(); ++j)
        CHECK(second[i][j] == doctest::Approx(first[i][j]).epsilon(1e-3));
    folder.put("same.csv", text(old));  // under their own names they are replaced by the same
    const auto third = predicted(folder, run, {"--new-rows", "same.csv"});
    CHECK(third == second);
  }
}

TEST_CASE("new rows: each minimises its own problem with the columns held, whatever the loss") {
  for (const Case& of : cases()) {
    CAPTURE(of.name);
    const TestFolder folder;
    const std::vector<Entry> all = entries(of.values);
    fit(folder, of, of_rows(all, 0, kOld));
    folder.put("new.csv", text(of_rows(all, kOld, kRows)));
    Words ids;
    for (int i = kOld; i < kRows; ++i) ids.push_back("u" + std::to_string(i));
    const auto got = predicted(folder, ids, {"--new-rows", "new.csv"});
    Solution solution = Solution::read(folder / "fit");
    double apart = 0.0;
    for (int i = kOld; i < kRows; ++i) {
      const std::vector<double> expected = by_definition(of, solution, of_rows(all, i, i + 1));
      for (std::size_t j = 0; j < kCols; ++j) {
        const double mine = got[static_cast<std::size_t>(i - kOld)][j];
        CHECK(mine == doctest::Approx(said(of, expected[j])).epsilon(1e-6));
        apart = std::max(apart, std::abs(mine - got[0][j]));
      }
    }
    CHECK(apart > 0.01);  // the rows are not one and the same
  }
}

TEST_CASE(
    "new rows: the ridge of a penalty is its factor, and a ball has the one of the penalty with its "
    "solution") {
  const TestFolder folder;
  const std::vector<Entry> old = of_rows(entries(Values::numbers), 0, kOld);
  fit(folder, {"", Values::numbers, {"penalty.use=nuclear", "penalty.lambda=0.3"}}, old);
  double weight = 0.0;
  for (const Entry& e : old) weight += e.weight;
  const Solution of_penalty = Solution::read(folder / "fit");
  const auto& rule = of_penalty.training().folding;
  CHECK(rule.total_weight == doctest::Approx(weight).epsilon(1e-12));
  CHECK(rule.ridge == doctest::Approx(0.3 * weight).epsilon(1e-6));
  double norm = 0.0;  // ||P||^2 = ||X||_*
  for (const double one : Solution(of_penalty).factors(Side::rows)) norm += one * one;
  fit(folder, {"", Values::numbers, {"set.use=nuclear-ball", "set.radius=" + std::to_string(norm)}}, old);
  CHECK(Solution::read(folder / "fit").training().folding.ridge == doctest::Approx(rule.ridge).epsilon(1e-4));
}

TEST_CASE("new rows: where the ball does not bind, a row of few entries meets them and stays small") {
  const TestFolder folder;
  const std::vector<Entry> all = entries(Values::numbers);
  folder.put("train.csv", text(of_rows(all, 0, kOld)));
  const Outcome o =
      ask(folder.path(), {"run", "--quiet", "objective.use=matrix-completion", "objective.data=train.csv",
                          "objective.weights=column", "set.use=nuclear-ball", "set.radius=1e4",
                          "stop.gap=1e-9", "--out", "fit"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(Solution::read(folder / "fit").training().folding.ridge <= 1e-6);
  folder.put("new.csv", text(of_rows(all, kOld, kRows)));
  const auto got = predicted(folder, {"u20", "u21", "u22", "u23"}, {"--new-rows", "new.csv"});
  double largest = 0.0;
  for (const Entry& e : all) largest = std::max(largest, std::abs(e.value));
  for (const Entry& e : of_rows(all, kOld, kRows))
    CHECK(got[static_cast<std::size_t>(e.row - kOld)][static_cast<std::size_t>(e.col)] ==
          doctest::Approx(e.value).epsilon(1e-3));
  for (const auto& row : got)
    for (const double prediction : row) CHECK(std::abs(prediction) <= 5 * largest);
}

TEST_CASE("new columns: the same with the sides exchanged") {
  const Case& of = cases()[2];
  const auto turned = [](std::vector<Entry> some) {
    for (Entry& e : some) std::swap(e.row, e.col);
    return some;
  };
  const TestFolder rows, cols;
  const std::vector<Entry> all = entries(of.values);
  const Words sides{"objective.row_bias_regularization=4", "objective.col_bias_regularization=2"},
      exchanged{"objective.row_bias_regularization=2", "objective.col_bias_regularization=4"};
  fit(rows, {of.name, of.values, with(of.words, sides)}, of_rows(all, 0, kOld));
  fit(cols, {of.name, of.values, with(of.words, exchanged)}, turned(of_rows(all, 0, kOld)));
  rows.put("new.csv", text(of_rows(all, kOld, kRows)));
  cols.put("new.csv", text(turned(of_rows(all, kOld, kRows))));
  const auto got = predicted(rows, {"u20", "u22"}, {"--new-rows", "new.csv"});
  for (const int i : {20, 22}) {
    std::string pairs;
    for (int j = 0; j < kCols; ++j) pairs += "u" + std::to_string(j) + ",i" + std::to_string(i) + '\n';
    cols.put("pairs.csv", pairs);
    const Outcome o = ask(cols.path(), {"predict", "fit", "pairs.csv", "--json", "--new-columns", "new.csv"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    CHECK(contains(o.err, "4 new columns from"));
    const auto found = nlohmann::json::parse(o.out).at("rows");
    for (std::size_t j = 0; j < kCols; ++j)
      CHECK(found[j].at("prediction").get<double>() ==
            doctest::Approx(got[i == 20 ? 0 : 1][j]).epsilon(1e-4));
  }
}

TEST_CASE("new rows: they are recommended to, and told of what is left out") {
  const TestFolder folder;
  const Case& of = cases().back();
  const std::vector<Entry> all = entries(of.values);
  fit(folder, of, of_rows(all, 0, kOld));
  folder.put("new.csv", text(of_rows(all, kOld, kRows)) + "u20,strange,1,1\nlone,strange,2,1\n");
  const Outcome o = ask(folder.path(), {"recommend", "fit", "--top", "2", "--new-rows", "new.csv",
                                        "--without", "new.csv", "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  CHECK(contains(o.err, "new.csv: 2 of "));  // --without names a column that is not in the training data
  folder.put("seen.csv", text(of_rows(all, kOld, kRows)));
  const Outcome lists = ask(folder.path(), {"recommend", "fit", "--top", "2", "--new-rows", "new.csv",
                                            "--without", "seen.csv", "--json"});
  REQUIRE_MESSAGE(lists.code == 0, lists.err);
  const auto rows = nlohmann::json::parse(lists.out).at("rows");
  CHECK(rows.size() == 5);
  const auto scores = predicted(folder, {"u20", "lone"}, {"--new-rows", "new.csv"});
  std::vector<double> left;
  for (int j = 0; j < kCols; ++j)
    if (std::ranges::none_of(all, [&](const Entry& e) { return e.row == 20 && e.col == j; }))
      left.push_back(scores[0][static_cast<std::size_t>(j)]);
  for (const auto& row : rows)
    if (row.at("row") == "u20") CHECK(row.at("columns")[0].at("score") == std::ranges::max(left));
  for (const double score : scores[1]) CHECK(score == 0.0);
  CHECK(contains(lists.err, "new.csv: 5 new rows from"));
  CHECK(contains(lists.err, "2 entries of columns without training entries are left out"));
  CHECK(contains(lists.err, "the first is 'lone'"));
  const Outcome strict =
      ask(folder.path(), {"predict", "fit", "seen.csv", "--new-rows", "new.csv", "--strict"});
  CHECK(strict.code == 4);
  CHECK(contains(strict.err, "2 entries of columns without an entry in the training data"));
}

TEST_CASE("new rows: what cannot be fitted is refused") {
  const TestFolder folder;
  const std::vector<Entry> all = entries(Values::visits);
  fit(folder, cases().back(), of_rows(all, 0, kOld));
  const auto err = [&](const std::string& rows, int code, const Words& more = {}) {
    folder.put("new.csv", rows);
    folder.put("pairs.csv", "u3,i1\n");
    const Outcome o =
        ask(folder.path(), with({"predict", "fit", "pairs.csv", "--new-rows", "new.csv"}, more));
    CHECK(o.code == code);
    return o.err;
  };
  CHECK(contains(err("a,i1,1,1\na,i1,2,1\n", 4), "new.csv:2"));
  CHECK(contains(err("a,i1,1\n", 4), "new.csv:1"));
  CHECK(contains(err("a,i1,-1,1\n", 4), "takes counts"));
  CHECK(contains(err("a,i1,one,1\n", 4), "new.csv:1"));
  CHECK(contains(err("a,i1,1,-1\n", 4), "new.csv:1"));
  CHECK(contains(err("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", 2), "fourth field"));
  fs::remove(folder / "fit/solution/folding.csv");
  CHECK(err("a,i1,1,1\n", 4) != "");
  const TestFolder box;
  box.put("train.csv", text(of_rows(all, 0, kOld)));
  const Outcome l2 =
      ask(box.path(), {"run", "--quiet", "objective.use=matrix-completion", "objective.data=train.csv",
                       "set.use=l2-ball", "set.radius=3", "stop.iterations=5", "--out", "fit"});
  REQUIRE_MESSAGE(l2.code == 0, l2.err);
  const Outcome o = ask(box.path(), {"recommend", "fit", "--new-rows", "train.csv"});
  CHECK(o.code == 2);
  CHECK(contains(o.err, "set 'l2-ball'"));
}
