// SPDX-License-Identifier: BSD-3-Clause
// How rows are parted, what a lambda is chosen by, and the criteria of information.
#include "small_host.hpp"

#include <claros/abilities.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/io/training.hpp>
#include <claros/paths/solve_path.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kFoldRows = 90, kFoldColumns = 6;

struct FoldProblem {
  std::vector<double> a = normals(15, kFoldRows*kFoldColumns), y, signs, w, o;

  FoldProblem() {
    const std::vector<double> noise = normals(16, kFoldRows);
    for (std::size_t i = 0; i < static_cast<std::size_t>(kFoldRows); ++i) {
      const double z = 1.5 * a[6 * i] - a[6 * i + 2];
      y.push_back(z + 0.5 * noise[i]);
      signs.push_back(z + 0.8 * noise[i] > 0.9 ? 1.0 : -1.0);
      w.push_back(1.0 + static_cast<double>(i % 3)), o.push_back(noise[i]);
    }
  }
  HostParts data(const std::vector<double>& response, const RowFacts& facts = {}) const {
    HostParts parts;
    parts.data = data_from_rows(a, kFoldRows, kFoldColumns, response, Entries::copied, facts);
    return parts;
  }
};

Spec fold_spec(const std::vector<std::string>& words = {}) {
  Spec spec;
  spec.assign({"objective.use=linear-model", "penalty.use=l1", "objective.intercept=yes",
               "stop.relative_gap=1e-9", "stop.iterations=100000"});
  spec.assign(words);
  return spec;
}

std::string refused(const PathGrid& grid, const Spec& spec, const HostParts& parts) {
  try {
    (void)solve_path(build_catalog(), spec, grid, {}, parts);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("folds: every class has its share, and every row a fold") {
  std::vector<double> classes;
  for (int i = 0; i < 103; ++i) classes.push_back(i % 10 == 0 ? 1.0 : -1.0);
  const std::vector<Index> fold = draw_stratified_folds(classes, 5, 3);
  std::map<Index, int> rare, all;
  for (std::size_t i = 0; i < fold.size(); ++i) ++all[fold[i]], rare[fold[i]] += classes[i] > 0.0;
  REQUIRE(all.size() == 5);
  for (const auto& [k, count] : all) CHECK((count == 20 || count == 21));
  for (const auto& [k, count] : rare) CHECK((count == 2 || count == 3));
  CHECK(draw_stratified_folds(classes, 5, 3) == fold);
  CHECK(draw_stratified_folds(classes, 5, 4) != fold);
}

TEST_CASE("folds: rows of a group stay together, and folds are of like size") {
  std::vector<Index> groups;
  for (Index g = 0; g < 12; ++g)
    for (Index k = 0; k <= g; ++k) groups.push_back(g);
  const std::vector<Index> fold = draw_grouped_folds(groups, 4, 9);
  std::map<Index, std::set<Index>> folds_of;
  std::map<Index, Index> sizes;
  for (std::size_t i = 0; i < fold.size(); ++i) folds_of[groups[i]].insert(fold[i]), ++sizes[fold[i]];
  for (const auto& [group, used] : folds_of) CHECK(used.size() == 1);
  REQUIRE(sizes.size() == 4);
  for (const auto& [k, size] : sizes) CHECK(std::abs(static_cast<double>(size) - 78.0 / 4.0) <= 2.0);
}

namespace {

/// The folds by their numbers, as pairs.
GivenFolds given_of(const std::vector<Index>& fold, Index folds) {
  GivenFolds given{{}, std::ssize(fold)};
  given.all.resize(static_cast<std::size_t>(folds));
  for (std::size_t k = 0; k < given.all.size(); ++k)
    for (std::size_t i = 0; i < fold.size(); ++i)
      (fold[i] == static_cast<Index>(k) ? given.all[k].held_back : given.all[k].training)
          .push_back(static_cast<Index>(i));
  return given;
}

}  // namespace

TEST_CASE("folds: numbers of a file are folds in their order, and rows of 0 are in every training") {
  const GivenFolds given = folds_of_numbers(std::vector<double>{7, 0, 2, 7, 2, 0});
  CHECK(given.rows == 6);
  REQUIRE(given.all.size() == 2);
  CHECK(given.all[0].held_back == std::vector<Index>{2, 4});
  CHECK(given.all[0].training == std::vector<Index>{0, 1, 3, 5});
  CHECK(given.all[1].held_back == std::vector<Index>{0, 3});
  for (const double wrong : {-1.0, 1.5, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS((void)folds_of_numbers(std::vector<double>{1, wrong}), Error);
}

TEST_CASE(
    "folds: given ones that are those which are drawn have the same bits, of few rows and of tall tables") {
  for (const Index copies : {1, 40}) {
    FoldProblem problem;
    const std::vector<double> a = problem.a, y = problem.y, shift = normals(40, 90 * copies);
    problem.a.clear(), problem.y.clear();
    for (Index k = 0; k < copies; ++k) {
      problem.a.insert(problem.a.end(), a.begin(), a.end());
      for (std::size_t i = 0; i < y.size(); ++i)
        problem.y.push_back(y[i] + 0.1 * shift[static_cast<std::size_t>(k) * y.size() + i]);
    }
    const auto rows = static_cast<Index>(problem.y.size());
    HostParts parts;
    parts.data = data_from_rows(problem.a, rows, kFoldColumns, problem.y, Entries::copied, {});
    PathGrid grid{.lambdas = 12, .ratio = 0.05, .explained = 1.0, .folds = 3};
    const auto drawn = solve_path(build_catalog(), fold_spec(), grid, {}, parts);
    grid.given = given_of(draw_folds(rows, 3, 0), 3);
    const auto given = solve_path(build_catalog(), fold_spec(), grid, {}, parts);
    CHECK(drawn.validation->losses == given.validation->losses);
    CHECK(drawn.validation->losses.size() == 3);
    for (std::size_t k = 0; k < 12; ++k)
      CHECK(drawn.validation->loss[k].mean == given.validation->loss[k].mean);
  }
}

TEST_CASE("folds: given ones may overlap, leave rows out and be one alone; wrong ones are refused") {
  const FoldProblem problem;
  const auto range = [](Index from, Index to) {
    std::vector<Index> rows;
    for (Index i = from; i < to; ++i) rows.push_back(i);
    return rows;
  };
  PathGrid grid{.lambdas = 5, .ratio = 0.05, .explained = 1.0, .folds = 2};
  grid.given = {{{range(0, 30), range(30, 60)}, {range(0, 50), range(40 + 10, 90)}}, 90};
  const auto made = [&] {
    return *solve_path(build_catalog(), fold_spec(), grid, {}, problem.data(problem.y)).validation;
  };
  const CrossValidation both = made();
  // Each fold alone has the numbers that it has beside the other, and no standard error.
  for (std::size_t which : {0U, 1U}) {
    const GivenFolds all = grid.given;
    grid.given.all = {all.all[which]}, grid.folds = 1;
    const CrossValidation one = made();
    CHECK(one.losses.front() == both.losses[which]);
    CHECK(std::isnan(one.loss[2].error));
    CHECK(one.simplest == one.least);
    grid.given = all, grid.folds = 2;
  }
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(both.loss[k].mean == doctest::Approx((30.0 * both.losses[0][k] + 40.0 * both.losses[1][k]) / 70.0));
  const std::vector<std::pair<GivenFolds, std::string>> wrong{
      {{{{range(0, 30), range(29, 60)}}, 90}, "trains on row 29"},
      {{{{{}, range(29, 60)}}, 90}, "no rows to train on"},
      {{{{range(0, 30), {}}}, 90}, "holds no rows back"},
      {{{{range(0, 30), {90}}}, 90}, "row 90"},
      {{{{range(0, 30), {-1}}}, 0}, "row -1"},
      {{{{range(0, 30), {31}}}, 89}, "of 89 rows, and the data have 90"}};
  for (const auto& [given, said] : wrong) {
    grid.given = given;
    CHECK(refused(grid, fold_spec(), problem.data(problem.y)).find(said) != std::string::npos);
  }
}

TEST_CASE("folds: given ones count all rows of the data, also those of weight 0") {
  const FoldProblem problem;
  std::vector<double> w = problem.w, few_a, few_y, few_w;
  std::vector<Index> place;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (i % 7 == 3) w[i] = 0.0;
    place.push_back(static_cast<Index>(few_y.size()));
    if (w[i] == 0.0) continue;
    const auto row = problem.a.begin() + static_cast<std::ptrdiff_t>(i) * kFoldColumns;
    few_a.insert(few_a.end(), row, row + kFoldColumns);
    few_y.push_back(problem.y[i]), few_w.push_back(w[i]);
  }
  PathGrid all{.lambdas = 5, .ratio = 0.05, .explained = 1.0, .folds = 2}, few = all;
  for (const Index from : {Index{0}, Index{45}}) {
    GivenFold fold, fewer;
    for (Index i = 0; i < kFoldRows; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const bool held = i / 45 == from / 45;
      (held ? fold.held_back : fold.training).push_back(i);
      if (w[row] > 0.0) (held ? fewer.held_back : fewer.training).push_back(place[row]);
    }
    all.given.all.push_back(fold), few.given.all.push_back(fewer);
  }
  const auto losses = [&](const PathGrid& grid, const HostParts& parts) {
    return solve_path(build_catalog(), fold_spec(), grid, {}, parts).validation->losses;
  };
  HostParts parts;
  parts.data = data_from_rows(few_a, std::ssize(few_y), kFoldColumns, few_y, Entries::copied,
                              RowFacts{.weights = few_w});
  const HostParts weighted = problem.data(problem.y, RowFacts{.weights = w});
  const auto found = losses(all, weighted), expected = losses(few, parts);
  REQUIRE(found.size() == 2);
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t l = 0; l < 5; ++l) CHECK(found[k][l] == doctest::Approx(expected[k][l]).epsilon(1e-9));
  all.given.all.front().held_back.push_back(kFoldRows);
  CHECK(refused(all, fold_spec(), weighted).find("row 90, counted from 0, of 90") != std::string::npos);
}

TEST_CASE("folds: the area under the curve counts pairs, ties half, with weights") {
  CHECK(area_under_curve(std::vector<double>{0.1, 0.4, 0.35, 0.8}, std::vector<double>{-1, -1, 1, 1}, {}) ==
        0.75);
  CHECK(area_under_curve(std::vector<double>{1, 1, 1, 1}, std::vector<double>{-1, 1, -1, 1}, {}) == 0.5);
  CHECK(area_under_curve(std::vector<double>{0, 1, 2}, std::vector<double>{1, -1, 1},
                         std::vector<double>{1, 1, 3}) == 0.75);
  CHECK(std::isnan(area_under_curve(std::vector<double>{0, 1}, std::vector<double>{1, 1}, {})));
}

TEST_CASE("folds: the area under the curve is that over all pairs, whatever ties and weights there are") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U})
    for (const bool weighted : {false, true}) {
      std::vector<double> z = normals(seed, 30), signs = normals(seed + 20, 30), w = normals(seed + 40, 30);
      for (double& value : z) value = std::round(2.0 * value);
      for (double& value : signs) value = value > 0.3 ? 1.0 : -1.0;
      for (double& value : w) value = weighted ? std::max(0.0, std::round(2.0 * value)) : 1.0;
      double right = 0.0, pairs = 0.0;
      for (std::size_t i = 0; i < z.size(); ++i)
        for (std::size_t j = 0; j < z.size(); ++j) {
          if (signs[i] < 0.0 || signs[j] > 0.0) continue;
          pairs += w[i] * w[j], right += w[i] * w[j] * (z[i] > z[j] ? 1.0 : z[i] == z[j] ? 0.5 : 0.0);
        }
      CHECK(area_under_curve(z, signs, weighted ? w : std::vector<double>()) ==
            doctest::Approx(right / pairs));
    }
}

TEST_CASE("folds: sizes differ by one at most, of rows, of a class, and largest groups go first") {
  for (const Index rows : {7, 20, 31})
    for (const Index folds : {2, 5, 7}) {
      std::map<Index, Index> sizes;
      for (const Index fold : draw_folds(rows, folds, 4)) ++sizes[fold];
      CHECK(static_cast<Index>(sizes.size()) == folds);
      for (const auto& [fold, size] : sizes)
        CHECK((size == rows / folds || size == (rows + folds - 1) / folds));
    }
  std::vector<double> classes;
  for (int i = 0; i < 61; ++i) classes.push_back(static_cast<double>(i * i % 7 % 3));
  const std::vector<Index> fold = draw_stratified_folds(classes, 4, 8);
  std::map<std::pair<double, Index>, Index> of_class;
  std::map<double, Index> all;
  for (std::size_t i = 0; i < fold.size(); ++i) ++of_class[{classes[i], fold[i]}], ++all[classes[i]];
  REQUIRE(all.size() == 3);
  for (const auto& [kind, count] : all)
    for (Index k = 0; k < 4; ++k)
      CHECK((of_class[{kind, k}] == count / 4 || of_class[{kind, k}] == (count + 3) / 4));
  // Groups of 5, 4, 3, 3, 2, 1 rows in 3 folds: 5 | 4 | 3, then 3 to the third, 2 to the second, 1 to the
  // first.
  std::vector<Index> groups;
  for (const auto& [group, size] : {std::pair<Index, Index>{9, 1}, {1, 3}, {2, 5}, {7, 2}, {4, 4}, {5, 3}})
    groups.insert(groups.end(), static_cast<std::size_t>(size), group);
  std::set<std::vector<Index>> divisions;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const std::vector<Index> of_rows = draw_grouped_folds(groups, 3, seed);
    std::map<Index, Index> fold_of;
    for (std::size_t i = 0; i < groups.size(); ++i) fold_of[groups[i]] = of_rows[i];
    CHECK(fold_of[1] == fold_of[5]);
    CHECK(fold_of[4] == fold_of[7]);
    CHECK(fold_of[2] == fold_of[9]);
    divisions.insert(draw_grouped_folds(std::vector<Index>{1, 2, 3, 4, 5, 6}, 3, seed));
  }
  CHECK(divisions.size() > 1);  // ties by the seed
}

TEST_CASE("folds: mean, standard error, best and simplest are those of their definitions") {
  const std::vector<double> m{3.0, 5.0, 4.0, 8.0};
  const std::vector<double> masses{10.0, 30.0, 20.0, 40.0};
  double mean = 0.0, square = 0.0;
  for (std::size_t k = 0; k < m.size(); ++k) mean += masses[k] / 100.0 * m[k];
  for (std::size_t k = 0; k < m.size(); ++k) square += masses[k] / 100.0 * std::pow(m[k] - mean, 2);
  const FoldMean one = fold_mean(m, masses);
  CHECK(one.mean == doctest::Approx(mean));
  CHECK(one.error == doctest::Approx(std::sqrt(square / 3.0)));
  const FoldMean two = repeated_mean({one, {2.0, 0.5}, {4.0, 0.1}});
  CHECK(two.mean == doctest::Approx((mean + 6.0) / 3.0));
  CHECK(two.error == doctest::Approx((one.error + 0.6) / 3.0));

  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  for (const auto& [metric, name] : fold_metrics()) {
    const bool larger = name == "accuracy" || name == "auc" || name == "r2" || name == "concordance";
    CrossValidation v;
    v.other = name, v.by_other = metric != FoldMetric::loss;
    // The better, the larger the index up to 5; 5 and 6 differ by rounding; 3 is one standard error away.
    const std::vector<double> better{infinite, nan, 9.0, 3.5, 3.2, 3.0, 3.0 - 1e-12, 7.0};
    for (const double value : better) {
      (v.by_other ? v.beside : v.loss).push_back({larger && v.by_other ? -value : value, 0.5});
      (v.by_other ? v.loss : v.beside).push_back({-value, 0.5});
    }
    CAPTURE(name);
    select_lambdas(v);
    CHECK(v.least == 5);
    CHECK(v.simplest == 3);
    for (auto* list : {&v.loss, &v.beside})
      for (FoldMean& each : *list) each.mean = nan;
    CHECK_THROWS_AS(select_lambdas(v), Error);
  }
}

TEST_CASE("folds: what is unfinished is not chosen where another lambda has a number") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(least_cost({3.0, 1.0, 2.0}, {false, false, false}) == std::size_t{1});
  CHECK(least_cost({3.0, 1.0, 2.0}, {false, true, false}) == std::size_t{2});
  CHECK(least_cost({3.0, 1.0, 1.0}, {true, true, true}) == std::size_t{1});
  CHECK(least_cost({nan, 1.0, 2.0}, {false, true, true}) == std::size_t{1});
  CHECK(least_cost({nan, -std::numeric_limits<double>::infinity()}, {false, false}) == std::nullopt);
  CrossValidation v;
  for (const double loss : {5.0, 3.2, 3.1, 3.0, 2.0, 1.0}) v.loss.push_back({loss, 0.5});
  v.unfinished = {true, true, false, false, true, true};
  select_lambdas(v);
  CHECK(v.least == 3);
  CHECK(v.simplest == 2);  // 3.2 is within one error too, and unfinished
  v.unfinished.assign(6, true);
  select_lambdas(v);
  CHECK(v.least == 5);
  CHECK(v.simplest == 5);
  const auto missed = [](Status status, const StopOptions& stop) {
    RunResult result;
    result.status = status;
    return missed_target(result, stop);
  };
  CHECK(missed(Status::iterations, {.relative_gap = 1e-4}));
  CHECK(!missed(Status::iterations, {.iterations = 5}));
  CHECK(!missed(Status::relative_gap, {.relative_gap = 1e-4}));
  CHECK(missed(Status::diverged, {.iterations = 5}));
  CHECK(missed(Status::stall, {.value = 0.0}));
}

namespace {

/// What every lambda of a path has on the rows held back, from runs of their own: measured(z, y, w) of a
/// fold.
template <class Measured>
std::vector<double> by_hand(const FoldProblem& problem, const PathRecord& path, const Spec& spec,
                            const std::vector<double>& response, bool facts, Index folds, Measured measured) {
  const std::vector<Index> fold = draw_folds(kFoldRows, folds, 0);
  std::vector<double> means;
  for (const PathPoint& point : path.points) {
    double mean = 0.0;
    for (Index held = 0; held < folds; ++held) {
      std::vector<double> a, y, w, o, z, known, weights;
      for (std::size_t i = 0; i < fold.size(); ++i)
        if (fold[i] != held) {
          a.insert(a.end(), problem.a.begin() + static_cast<std::ptrdiff_t>(6 * i),
                   problem.a.begin() + static_cast<std::ptrdiff_t>(6 * i + 6));
          y.push_back(response[i]), w.push_back(problem.w[i]), o.push_back(problem.o[i]);
        }
      HostParts parts;
      const RowFacts of_rows = facts ? RowFacts{.weights = w, .offset = o} : RowFacts{};
      parts.data = data_from_rows(a, static_cast<Index>(y.size()), kFoldColumns, y, Entries::copied, of_rows);
      Spec at = spec;
      at.assign({"penalty.lambda=" + print_real(point.lambda)});
      const Composition c = compose(build_catalog(), at, parts);
      const std::vector<double> x = run(c, run_settings(c)).answer.to_dense();
      for (std::size_t i = 0; i < fold.size(); ++i) {
        if (fold[i] != held) continue;
        double product = x[6] + (facts ? problem.o[i] : 0.0);
        for (std::size_t j = 0; j < 6; ++j) product += x[j] * problem.a[6 * i + j];
        z.push_back(product), known.push_back(response[i]), weights.push_back(facts ? problem.w[i] : 1.0);
      }
      const double mass = std::accumulate(weights.begin(), weights.end(), 0.0),
                   all = facts ? std::accumulate(problem.w.begin(), problem.w.end(), 0.0) : kFoldRows;
      mean += mass / all * measured(z, known, weights);
    }
    means.push_back(mean);
  }
  return means;
}

}  // namespace

TEST_CASE("folds: every measure is that of its definition, of rows with weights and offsets too") {
  const FoldProblem problem;
  const auto average = [](const auto& of) {
    return [of](const std::vector<double>& z, const std::vector<double>& y, const std::vector<double>& w) {
      double sum = 0.0, mass = 0.0;
      for (std::size_t i = 0; i < z.size(); ++i) sum += w[i] * of(z[i], y[i]), mass += w[i];
      return sum / mass;
    };
  };
  const auto mse = average([](double z, double y) { return (z - y) * (z - y); });
  using Measured = std::function<double(const std::vector<double>&, const std::vector<double>&,
                                        const std::vector<double>&)>;
  const std::vector<std::tuple<FoldMetric, bool, Measured>> all{
      {FoldMetric::mse, false, mse},
      {FoldMetric::mae, false, average([](double z, double y) { return std::abs(z - y); })},
      {FoldMetric::rmse, false,
       [&](const auto& z, const auto& y, const auto& w) { return std::sqrt(mse(z, y, w)); }},
      {FoldMetric::r2, false,
       [&](const auto& z, const auto& y, const auto& w) {
         const double mean = average([](double, double v) { return v; })(z, y, w);
         return 1.0 -
                mse(z, y, w) / average([&](double, double v) { return (v - mean) * (v - mean); })(z, y, w);
       }},
      {FoldMetric::accuracy, true, average([](double z, double y) { return z * y > 0.0 ? 1.0 : 0.0; })},
      {FoldMetric::auc, true,
       [](const auto& z, const auto& y, const auto& w) { return area_under_curve(z, y, w); }}};
  for (const bool facts : {false, true})
    for (const auto& [by, classes, measured] : all) {
      const std::vector<double>& response = classes ? problem.signs : problem.y;
      const Spec spec = fold_spec({std::string("objective.loss=") + (classes ? "logistic" : "squared")});
      const PathRecord path = solve_path(
          build_catalog(), spec, {.lambdas = 4, .ratio = 0.05, .explained = 1.0, .folds = 3, .by = by}, {},
          problem.data(response, facts ? RowFacts{.weights = problem.w, .offset = problem.o} : RowFacts{}));
      const std::vector<double> other = by_hand(problem, path, spec, response, facts, 3, measured),
                                loss = by_hand(
                                    problem, path, spec, response, facts, 3, average([&](double z, double y) {
                                      return classes ? std::log1p(std::exp(-y * z)) : 0.5 * (z - y) * (z - y);
                                    }));
      REQUIRE(path.points.size() == 4);
      for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(k);
        CAPTURE(path.validation->other);
        CHECK(path.validation->beside[k].mean == doctest::Approx(other[k]).epsilon(2e-3));
        CHECK(path.validation->loss[k].mean == doctest::Approx(loss[k]).epsilon(1e-4));
      }
    }
}

TEST_CASE(
    "folds: standardized columns stay scaled as on all rows, and several classes are those of all rows") {
  const FoldProblem problem;
  const auto loss = [&](const std::vector<std::string>& words, const std::vector<double>& response) {
    return *solve_path(build_catalog(), fold_spec(words), {.lambdas = 5, .ratio = 0.05, .folds = 3}, {},
                       problem.data(response))
                .validation;
  };
  // Scaling columns beforehand is the same as asking for it.
  FoldProblem scaled = problem;
  for (std::size_t j = 0; j < 6; ++j) {
    double mean = 0.0, square = 0.0;
    for (std::size_t i = 0; i < 90; ++i) mean += problem.a[6 * i + j] / 90.0;
    for (std::size_t i = 0; i < 90; ++i) square += std::pow(problem.a[6 * i + j] - mean, 2) / 90.0;
    for (std::size_t i = 0; i < 90; ++i)
      scaled.a[6 * i + j] = (problem.a[6 * i + j] - mean) / std::sqrt(square);
  }
  const CrossValidation asked = loss({"objective.standardize=yes"}, problem.y),
                        by_hand =
                            *solve_path(build_catalog(), fold_spec(),
                                        {.lambdas = 5, .ratio = 0.05, .folds = 3}, {}, scaled.data(problem.y))
                                 .validation;
  for (std::size_t k = 0; k < asked.loss.size(); ++k)
    CHECK(asked.loss[k].mean == doctest::Approx(by_hand.loss[k].mean).epsilon(1e-5));
  std::vector<double> classes;
  for (std::size_t i = 0; i < problem.y.size(); ++i)
    classes.push_back(i % 30 == 7 ? 5.0 : problem.y[i] > 0 ? 2.0 : 3.0);
  const CrossValidation several = loss({"objective.loss=multinomial", "objective.intercept=no",
                                        "penalty.use=group", "penalty.groups=rows", "stop.relative_gap=1e-5"},
                                       classes);
  CHECK(several.other == "accuracy");
  CHECK(several.loss.front().mean == doctest::Approx(std::log(3.0)).epsilon(0.05));
  CHECK(several.loss.back().mean < several.loss.front().mean);
}

TEST_CASE("folds: chosen rows are those rows, with all that belongs to a row, in any layout") {
  Design dense, sparse;
  dense.rows = sparse.rows = 5, dense.cols = sparse.cols = 3;
  DenseRows<double> values;
  SparseRows<float> entries{{0}, {}, {}};
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const double value = (i + j) % 2 == 0 ? static_cast<double>(10 * i + j + 1) : 0.0;
      values.values.push_back(value);
      if (value == 0.0) continue;
      entries.column.push_back(static_cast<std::int32_t>(j)),
          entries.value.push_back(static_cast<float>(value));
    }
    entries.start.push_back(std::ssize(entries.column));
  }
  dense.entries = std::move(values), sparse.entries = std::move(entries);
  for (Design* design : {&dense, &sparse}) {
    design->response = {0, 1, 2, 3, 4}, design->weights = {5, 6, 7, 8, 9}, design->offset = {1, 3, 5, 7, 9};
    design->groups = {4, 4, 2, 2, 0}, design->labels = {"a", "b", "c", "d", "e"};
    design->column_names = {"x", "y", "z"}, design->response_name = "r";
    for (const std::vector<Index>& rows : {std::vector<Index>{}, {2}, {4, 0, 1}, {3, 3}}) {
      const Design some = chosen_rows(*design, rows);
      REQUIRE(some.rows == std::ssize(rows));
      CHECK(some.cols == 3);
      CHECK(some.labels == design->labels);
      CHECK(some.column_names == design->column_names);
      CHECK(some.response_name == "r");
      std::vector<double> row(3), expected(3);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto i = static_cast<std::size_t>(rows[k]);
        some.row(static_cast<Index>(k), row), design->row(rows[k], expected);
        CHECK(row == expected);
        CHECK(some.response[k] == design->response[i]);
        CHECK(some.weights[k] == design->weights[i]);
        CHECK(some.offset[k] == design->offset[i]);
        CHECK(some.groups[k] == design->groups[i]);
      }
    }
  }
}

TEST_CASE("folds: the larger area or accuracy is chosen, the smaller error") {
  const FoldProblem problem;
  for (const auto& [by, loss] : {std::pair{FoldMetric::auc, "logistic"},
                                 {FoldMetric::accuracy, "logistic"},
                                 {FoldMetric::mae, "squared"},
                                 {FoldMetric::mse, "squared"}}) {
    const bool classes = std::string(loss) == "logistic";
    const PathRecord record =
        solve_path(build_catalog(), fold_spec({std::string("objective.loss=") + loss}),
                   {.lambdas = 12, .ratio = 1e-2, .folds = 3, .repeats = 2, .stratified = classes, .by = by},
                   {}, problem.data(classes ? problem.signs : problem.y));
    REQUIRE(record.validation);
    const CrossValidation& v = *record.validation;
    CHECK(v.by_other);
    CHECK(v.repeats == 2);
    const double sign = classes ? -1.0 : 1.0, least = sign * v.beside[v.least].mean;
    for (const FoldMean& mean : v.beside) CHECK(sign * mean.mean >= least - 1e-9 * std::abs(least));
    if (by == FoldMetric::auc) CHECK(v.beside[v.least].mean > 0.7);
    CHECK(v.simplest <= v.least);
  }
}

TEST_CASE("folds: the mean loss of rows with weights is that which one gets by hand") {
  const FoldProblem problem;
  std::vector<double> w(static_cast<std::size_t>(kFoldRows), 1.0);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = i % 3 == 0 ? 2.0 : 1.0;
  const PathGrid grid{.lambdas = 6, .ratio = 0.05, .folds = 3};
  const PathRecord weighted =
      solve_path(build_catalog(), fold_spec(), grid, {}, problem.data(problem.y, {.weights = w}));
  // By hand: the weighted mean loss of the rows held back, of fits on the others.
  const std::vector<Index> fold = draw_folds(kFoldRows, 3, 0);
  for (const std::size_t k : {std::size_t{2}, std::size_t{5}}) {
    double sum = 0.0;
    for (Index held = 0; held < 3; ++held) {
      std::vector<double> a, y, some;
      for (Index i = 0; i < kFoldRows; ++i) {
        if (fold[static_cast<std::size_t>(i)] == held) continue;
        const auto row = problem.a.begin() + i * kFoldColumns;
        a.insert(a.end(), row, row + kFoldColumns);
        y.push_back(problem.y[static_cast<std::size_t>(i)]), some.push_back(w[static_cast<std::size_t>(i)]);
      }
      HostParts parts;
      parts.data = data_from_rows(a, static_cast<Index>(y.size()), kFoldColumns, y, Entries::copied,
                                  {.weights = some});
      const Composition c = compose(
          build_catalog(), fold_spec({"penalty.lambda=" + print_real(weighted.points[k].lambda)}), parts);
      const std::vector<double> x = run(c, run_settings(c)).answer.to_dense();
      double loss = 0.0;
      for (Index i = 0; i < kFoldRows; ++i) {
        if (fold[static_cast<std::size_t>(i)] != held) continue;
        double z = x.back();
        for (Index j = 0; j < kFoldColumns; ++j)
          z += x[static_cast<std::size_t>(j)] * problem.a[static_cast<std::size_t>(i * kFoldColumns + j)];
        const double r = z - problem.y[static_cast<std::size_t>(i)], weight = w[static_cast<std::size_t>(i)];
        loss += 0.5 * weight * r * r;
      }
      sum += loss / std::accumulate(w.begin(), w.end(), 0.0);
    }
    CHECK(weighted.validation->loss[k].mean == doctest::Approx(sum).epsilon(1e-4));
  }
}

/// ||(b, b)|| = sqrt(2) |b|, so that twice the same response is one with a sqrt(2)-th of lambda, and of max.
TEST_CASE("folds: the same response twice has twice the loss of one, and the same mean squared error") {
  const FoldProblem problem;
  std::vector<double> twice;
  for (const double y : problem.y) twice.insert(twice.end(), {y, y});
  for (const FoldMetric by : {FoldMetric::mse, FoldMetric::mae, FoldMetric::rmse, FoldMetric::r2}) {
    const PathGrid grid{.lambdas = 8, .ratio = 0.05, .folds = 4, .by = by};
    const auto one = solve_path(build_catalog(), fold_spec({"stop.relative_gap=1e-12"}), grid, {},
                                problem.data(problem.y, {.weights = problem.w}));
    const auto two = solve_path(
        build_catalog(), fold_spec({"stop.relative_gap=1e-12", "penalty.use=group", "penalty.groups=rows"}),
        grid, {}, problem.data({}, {.weights = problem.w, .responses = twice}));
    REQUIRE(one.points.size() == two.points.size());
    CHECK(one.validation->least == two.validation->least);
    for (std::size_t k = 0; k < one.points.size(); ++k) {
      CHECK(two.points[k].lambda == doctest::Approx(std::sqrt(2.0) * one.points[k].lambda).epsilon(1e-10));
      CHECK(two.points[k].support == 2 * one.points[k].support);
      CHECK(two.validation->loss[k].mean ==
            doctest::Approx(2.0 * one.validation->loss[k].mean).epsilon(1e-6));
      CHECK(two.validation->beside[k].mean == doctest::Approx(one.validation->beside[k].mean).epsilon(1e-6));
    }
  }
}

TEST_CASE("folds: an offset is as good as other responses, of a squared loss") {
  const FoldProblem problem;
  std::vector<double> shifted = problem.y;
  for (std::size_t i = 0; i < shifted.size(); ++i) shifted[i] -= problem.o[i];
  const PathGrid grid{.lambdas = 8, .ratio = 0.05, .folds = 4};
  const auto offset =
      solve_path(build_catalog(), fold_spec(), grid, {}, problem.data(problem.y, {.offset = problem.o}));
  const auto plain = solve_path(build_catalog(), fold_spec(), grid, {}, problem.data(shifted));
  REQUIRE(offset.validation);
  for (std::size_t k = 0; k < static_cast<std::size_t>(grid.lambdas); ++k) {
    CHECK(offset.points[k].lambda == doctest::Approx(plain.points[k].lambda).epsilon(1e-12));
    CHECK(offset.validation->loss[k].mean == doctest::Approx(plain.validation->loss[k].mean).epsilon(1e-6));
    CHECK(offset.validation->beside[k].mean ==
          doctest::Approx(plain.validation->beside[k].mean).epsilon(1e-6));
  }
}

TEST_CASE("information: criteria differ by their price of the support") {
  const FoldProblem problem;
  const auto of = [&](Criterion criterion) {
    return solve_path(build_catalog(), fold_spec(), {.lambdas = 10, .ratio = 1e-2, .information = criterion},
                      {}, problem.data(problem.y));
  };
  const PathRecord aic = of(Criterion::aic), bic = of(Criterion::bic), ebic = of(Criterion::ebic);
  CHECK(aic.criterion == "aic");
  const double n = static_cast<double>(kFoldRows), p = static_cast<double>(kFoldColumns);
  for (std::size_t k = 0; k < aic.points.size(); ++k) {
    const double d = static_cast<double>(aic.points[k].support);
    CHECK(bic.information[k] - aic.information[k] == doctest::Approx(d * (std::log(n) - 2.0)));
    const double choose = std::lgamma(p + 1) - std::lgamma(d + 1) - std::lgamma(p - d + 1);
    CHECK(ebic.information[k] - bic.information[k] == doctest::Approx(2.0 * choose).scale(1.0));
  }
}

TEST_CASE("information: criteria are minus twice the log-likelihood of each loss, and their price") {
  const FoldProblem problem;
  std::vector<double> counts;
  for (const double y : problem.y) counts.push_back(std::round(std::exp(0.5 * std::min(y, 3.0))));
  for (const std::string loss : {"squared", "logistic", "poisson"})
    for (const bool facts : {false, true}) {
      CAPTURE(loss);
      const std::vector<double>& y = loss == "squared"    ? problem.y
                                     : loss == "logistic" ? problem.signs
                                                          : counts;
      const PathRecord path = solve_path(
          build_catalog(), fold_spec({"objective.loss=" + loss}),
          {.lambdas = 5, .ratio = 0.05, .explained = 1.0, .information = Criterion::aic}, {},
          problem.data(y, facts ? RowFacts{.weights = problem.w, .offset = problem.o} : RowFacts{}));
      for (std::size_t k = 0; k < path.points.size(); ++k) {
        const std::vector<double> x = path.points[k].coefficients.element(Shape::vector(7)).to_dense();
        double sum = 0.0, mass = 0.0;
        for (std::size_t i = 0; i < 90; ++i) {
          double z = x[6] + (facts ? problem.o[i] : 0.0);
          for (std::size_t j = 0; j < 6; ++j) z += x[j] * problem.a[6 * i + j];
          const double w = facts ? problem.w[i] : 1.0;
          sum += w * (loss == "squared" ? (z - y[i]) * (z - y[i])
                      : loss == "logistic"
                          ? std::log1p(std::exp(-y[i] * z))
                          : std::exp(z) - y[i] * z - y[i] + (y[i] > 0.0 ? y[i] * std::log(y[i]) : 0.0));
          mass += w;
        }
        const double n = 90.0,
                     likelihood = loss == "squared" ? n * std::log(sum / mass) : 2.0 * n * sum / mass;
        CHECK(path.information[k] ==
              doctest::Approx(likelihood + 2.0 * static_cast<double>(path.points[k].support)).epsilon(1e-9));
      }
    }
}

TEST_CASE(
    "folds: as many folds as groups, as many as rows, and fits that end without their target are counted") {
  const FoldProblem problem;
  Design design;
  design.rows = kFoldRows, design.cols = kFoldColumns, design.entries = DenseRows<double>{problem.a};
  design.response = problem.y;
  for (Index i = 0; i < kFoldRows; ++i) design.groups.push_back(i % 4);
  class GroupedRows final : public Component, public Dataset {
   public:
    explicit GroupedRows(Design rows) : rows_(std::make_shared<const Design>(std::move(rows))) {}
    std::shared_ptr<const Design> design() const override { return rows_; }
    void write(const std::filesystem::path&) const override {}

   private:
    std::shared_ptr<const Design> rows_;
  };
  HostParts grouped;
  grouped.data = std::make_shared<GroupedRows>(design);
  const PathGrid grid{.lambdas = 3, .ratio = 0.1, .folds = 4};
  const PathRecord path = solve_path(build_catalog(), fold_spec(), grid, {}, grouped);
  REQUIRE(path.validation);
  CHECK(path.validation->missed == 0);
  CHECK(refused({.lambdas = 3, .folds = 5}, fold_spec(), grouped).find("4 groups") != std::string::npos);
  CHECK(refused({.lambdas = 3, .folds = 4, .stratified = true}, fold_spec({"objective.loss=logistic"}),
                problem.data(problem.signs)) == "accepted");
  // One step is not enough for any lambda but the first, whose solution is the start.
  for (const Index repeats : {1, 2}) {
    const PathRecord cut =
        solve_path(build_catalog(), fold_spec({"algorithm.use=proximal-gradient", "stop.iterations=1"}),
                   {.lambdas = 3, .ratio = 0.1, .folds = 4, .repeats = repeats}, {}, problem.data(problem.y));
    REQUIRE(cut.validation);
    CHECK(cut.validation->missed >= 2 * 4 * repeats);
    CHECK(cut.validation->missed <= 3 * 4 * repeats);
    for (std::size_t k = 1; k < 3; ++k) CHECK(cut.is_unfinished(k));
  }
}

TEST_CASE("folds: what does not apply is refused") {
  const FoldProblem problem;
  const HostParts numbers = problem.data(problem.y), signs = problem.data(problem.signs);
  const Spec logistic = fold_spec({"objective.loss=logistic"});
  const auto names = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(names(refused({.folds = 3, .by = FoldMetric::auc}, fold_spec(), numbers), "--by"));
  CHECK(names(refused({.folds = 3, .by = FoldMetric::accuracy}, fold_spec(), numbers), "--by"));
  CHECK(names(refused({.folds = 3, .by = FoldMetric::mse}, logistic, signs), "--by"));
  CHECK(names(refused({.folds = 3, .stratified = true}, fold_spec(), numbers), "--stratified"));
  CHECK(names(refused({.folds = kFoldRows + 1}, fold_spec(), numbers), "leave some empty"));
  // Two rows with a weight are two rows.
  const std::vector<Index> halves = draw_folds(kFoldRows, 2, 0);
  std::vector<double> w(static_cast<std::size_t>(kFoldRows), 0.0);
  w[0] =
      w[static_cast<std::size_t>(std::find(halves.begin() + 1, halves.end(), halves[0]) - halves.begin())] =
          1.0;
  CHECK(
      names(refused({.folds = 3}, fold_spec(), problem.data(problem.y, {.weights = w})), "leave some empty"));
  std::vector<double> rare(static_cast<std::size_t>(kFoldRows), -1.0), three;
  rare[8] = 1.0;
  for (std::size_t i = 0; i < rare.size(); ++i) three.push_back(i == 8 ? 2.0 : static_cast<double>(i % 2));
  for (const auto& [loss, y] :
       {std::pair<std::string, std::vector<double>>{"logistic", rare}, {"multinomial", three}})
    try {
      // With intercepts no gap is known of several classes.
      (void)solve_path(build_catalog(),
                       fold_spec({"objective.loss=" + loss, "penalty.use=ridge", "stop.relative_gap=0",
                                  "stop.residual=1e-6"}),
                       {.values = {0.1}, .folds = 3}, {}, problem.data(y));
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      CHECK_MESSAGE(names(error.what(), loss == "logistic" ? "1 of 2 classes" : "2 of 3 classes"),
                    error.what());
    }
}

TEST_CASE("folds: rmse is the root of mse in every fold, and r2 what is left of the variance there") {
  const FoldProblem problem;
  const auto validated = [&](FoldMetric by) {
    return *solve_path(build_catalog(), fold_spec(),
                       {.lambdas = 6, .ratio = 1e-2, .explained = 1.0, .folds = kFoldRows, .by = by}, {},
                       problem.data(problem.y))
                .validation;
  };
  // One row a fold: the root of its mean square is its absolute error, and it has no variance.
  const CrossValidation mae = validated(FoldMetric::mae), rmse = validated(FoldMetric::rmse);
  CHECK(rmse.other == "rmse");
  for (std::size_t k = 0; k < mae.beside.size(); ++k)
    CHECK(rmse.beside[k].mean == doctest::Approx(mae.beside[k].mean).epsilon(1e-12));
  CHECK(rmse.least == mae.least);
  CHECK_THROWS_AS((void)validated(FoldMetric::r2), Error);
  const auto of = [&](FoldMetric by) {
    return *solve_path(build_catalog(), fold_spec(), {.lambdas = 6, .ratio = 1e-2, .folds = 2, .by = by}, {},
                       problem.data(problem.y))
                .validation;
  };
  const CrossValidation r2 = of(FoldMetric::r2), mse = of(FoldMetric::mse);
  const std::vector<Index> fold = draw_folds(kFoldRows, 2, 0);
  std::vector<double> variances;
  std::vector<Index> sizes;
  for (const Index held : {0, 1}) {
    double mean = 0.0, square = 0.0, count = 0.0;
    for (std::size_t i = 0; i < fold.size(); ++i)
      if (fold[i] == held) mean += problem.y[i], count += 1.0;
    for (std::size_t i = 0; i < fold.size(); ++i)
      if (fold[i] == held) square += std::pow(problem.y[i] - mean / count, 2);
    variances.push_back(square / count), sizes.push_back(static_cast<Index>(count));
  }
  for (std::size_t k = 0; k < r2.beside.size(); ++k) {  // 1 - mse / variance lies between the two
    const auto [low, high] = std::minmax(variances[0], variances[1]);
    CHECK(r2.beside[k].mean <= 1.0 - mse.beside[k].mean / high + 1e-9);
    CHECK(r2.beside[k].mean >= 1.0 - mse.beside[k].mean / low - 1e-9);
  }
  for (const FoldMean& other : r2.beside) CHECK(other.mean <= r2.beside[r2.least].mean);
}

namespace {

/// A matrix of rank one with a bias a row and noise, of which 6 in 10 entries are observed.
struct FoldRatings {
  static constexpr Index kRows = 20, kCols = 15;
  std::vector<std::int32_t> row, col;
  std::vector<double> value;

  FoldRatings() {
    const std::vector<double> u = normals(31, kRows), v = normals(32, kCols), b = normals(33, kRows),
                              noise = normals(34, kRows * kCols), seen = normals(35, kRows * kCols);
    for (std::size_t i = 0; i < u.size(); ++i)
      for (std::size_t j = 0; j < v.size(); ++j)
        if (const std::size_t e = i * v.size() + j; seen[e] < 0.25)
          add(i, j, 3.0 + b[i] + 2.0 * u[i] * v[j] + 0.3 * noise[e]);
  }
  void add(std::size_t i, std::size_t j, double y) {
    row.push_back(static_cast<std::int32_t>(i)), col.push_back(static_cast<std::int32_t>(j));
    value.push_back(y);
  }
  HostParts data(const std::vector<double>& weight = {}) const {
    HostParts parts;
    parts.data = data_from_triplets(row, col, value, kRows, kCols, "error", weight);
    return parts;
  }
  /// Those in fold `held`, or the others.
  FoldRatings part(const std::vector<Index>& fold, Index held, bool inside) const {
    FoldRatings some;
    some.row.clear(), some.col.clear(), some.value.clear();
    for (std::size_t e = 0; e < fold.size(); ++e)
      if ((fold[e] == held) == inside)
        some.add(static_cast<std::size_t>(row[e]), static_cast<std::size_t>(col[e]), value[e]);
    return some;
  }
};

Spec rating_spec(const std::vector<std::string>& words) {
  Spec spec;
  spec.assign({"objective.use=matrix-completion", "penalty.use=nuclear", "stop.relative_gap=1e-8",
               "stop.iterations=5000"});
  spec.assign(words);
  return spec;
}

}  // namespace

TEST_CASE(
    "folds: of ratings the error is that of predictions by the other ratings, which fit the biases too") {
  const FoldRatings ratings;
  for (const std::string center : {"none", "mean", "biases"}) {
    const Spec spec = rating_spec({"objective.center=" + center});
    const PathRecord record =
        solve_path(build_catalog(), spec, {.lambdas = 5, .ratio = 0.1, .folds = 3}, {}, ratings.data());
    REQUIRE(record.validation);
    CHECK(record.validation->other == "rmse");
    const std::vector<Index> fold = draw_folds(static_cast<Index>(ratings.value.size()), 3, 0);
    for (const std::size_t k : {std::size_t{1}, std::size_t{4}}) {
      double rmse = 0.0, loss = 0.0;
      for (Index held = 0; held < 3; ++held) {
        const FoldRatings test = ratings.part(fold, held, true);
        const Composition c = compose(build_catalog(),
                                      rating_spec({"objective.center=" + center,
                                                   "penalty.lambda=" + print_real(record.points[k].lambda)}),
                                      ratings.part(fold, held, false).data());
        const std::vector<double> x = run(c, run_settings(c)).answer.to_dense();
        const Baseline& baseline = query<Predictor>(*c.objective)->training().baseline;
        double sum = 0.0;
        for (std::size_t e = 0; e < test.value.size(); ++e)
          sum += std::pow(x[static_cast<std::size_t>(test.col[e] * FoldRatings::kRows + test.row[e])] +
                              baseline.at(test.row[e], test.col[e]) - test.value[e],
                          2);
        const auto count = static_cast<double>(test.value.size());
        const double share = count / static_cast<double>(ratings.value.size());
        rmse += share * std::sqrt(sum / count), loss += share * 0.5 * sum / count;
      }
      CHECK(record.validation->beside[k].mean == doctest::Approx(rmse).epsilon(1e-4));
      CHECK(record.validation->loss[k].mean == doctest::Approx(loss).epsilon(1e-4));
    }
    CHECK(record.validation->least > 0);
  }
}

TEST_CASE("folds: ratings are the same on two threads, and have no classes") {
  const FoldRatings ratings;
  const Spec spec = rating_spec({"objective.center=biases"});
  const auto validated = [&](Index jobs) {
    return *solve_path(build_catalog(), spec,
                       {.lambdas = 4, .ratio = 0.1, .folds = 4, .by = FoldMetric::mae, .jobs = jobs}, {},
                       ratings.data())
                .validation;
  };
  const CrossValidation one = validated(1), two = validated(2);
  CHECK(one.other == "mae");
  for (std::size_t k = 0; k < one.loss.size(); ++k) {
    CHECK(one.loss[k].mean == two.loss[k].mean);
    CHECK(one.beside[k].mean == two.beside[k].mean);
  }
  CHECK(refused({.folds = 3, .by = FoldMetric::auc}, spec, ratings.data()).find("--by") != std::string::npos);
  CHECK(refused({.folds = 1000}, spec, ratings.data()).find("ratings leave some empty") != std::string::npos);
  PathGrid given{.folds = 1};
  given.given.all.push_back({{0, 1, 2}, {3, 4}});
  CHECK(refused(given, spec, ratings.data()).find("sorted by row and column") != std::string::npos);
}

TEST_CASE("folds: ratings with weights are fitted and held against each other by their weights") {
  const FoldRatings ratings;
  std::vector<double> w;
  for (std::size_t e = 0; e < ratings.value.size(); ++e) w.push_back(1.0 + 3.0 * static_cast<double>(e % 3));
  const PathRecord path = solve_path(build_catalog(), rating_spec({"objective.center=mean"}),
                                     {.lambdas = 4, .ratio = 0.1, .folds = 3}, {}, ratings.data(w));
  const std::vector<Index> fold = draw_folds(static_cast<Index>(ratings.value.size()), 3, 0);
  for (const std::size_t k : {std::size_t{0}, std::size_t{3}}) {
    double rmse = 0.0;
    for (Index held = 0; held < 3; ++held) {
      std::vector<double> some, others;
      for (std::size_t e = 0; e < w.size(); ++e) (fold[e] == held ? others : some).push_back(w[e]);
      const FoldRatings test = ratings.part(fold, held, true);
      const Composition c = compose(
          build_catalog(),
          rating_spec({"objective.center=mean", "penalty.lambda=" + print_real(path.points[k].lambda)}),
          ratings.part(fold, held, false).data(some));
      const std::vector<double> x = run(c, run_settings(c)).answer.to_dense();
      const Baseline& baseline = query<Predictor>(*c.objective)->training().baseline;
      double sum = 0.0, mass = 0.0;
      for (std::size_t e = 0; e < test.value.size(); ++e) {
        const double z = x[static_cast<std::size_t>(test.col[e] * FoldRatings::kRows + test.row[e])] +
                         baseline.at(test.row[e], test.col[e]);
        sum += others[e] * std::pow(z - test.value[e], 2), mass += others[e];
      }
      rmse += mass / std::accumulate(w.begin(), w.end(), 0.0) * std::sqrt(sum / mass);
    }
    CHECK(path.validation->beside[k].mean == doctest::Approx(rmse).epsilon(1e-4));
  }
}
