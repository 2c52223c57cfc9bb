// SPDX-License-Identifier: BSD-3-Clause
// How rows are parted, what a lambda is chosen by, and the criteria of information.
#include "small_host.hpp"

#include <claros/abilities.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/io/training.hpp>
#include <claros/paths/solve_path.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

TEST_CASE("folds: the area under the curve counts pairs, ties half, with weights") {
  CHECK(area_under_curve(std::vector<double>{0.1, 0.4, 0.35, 0.8}, std::vector<double>{-1, -1, 1, 1}, {}) ==
        0.75);
  CHECK(area_under_curve(std::vector<double>{1, 1, 1, 1}, std::vector<double>{-1, 1, -1, 1}, {}) == 0.5);
  CHECK(area_under_curve(std::vector<double>{0, 1, 2}, std::vector<double>{1, -1, 1},
                         std::vector<double>{1, 1, 3}) == 0.75);
  CHECK(std::isnan(area_under_curve(std::vector<double>{0, 1}, std::vector<double>{1, 1}, {})));
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
    for (const FoldMean& mean : v.beside)
      CHECK((classes ? mean.mean <= v.beside[v.least].mean : mean.mean >= v.beside[v.least].mean));
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
      double loss = 0.0, total = 0.0;
      Index rows = 0;
      for (Index i = 0; i < kFoldRows; ++i) {
        if (fold[static_cast<std::size_t>(i)] != held) continue;
        double z = x.back();
        for (Index j = 0; j < kFoldColumns; ++j)
          z += x[static_cast<std::size_t>(j)] * problem.a[static_cast<std::size_t>(i * kFoldColumns + j)];
        const double r = z - problem.y[static_cast<std::size_t>(i)], weight = w[static_cast<std::size_t>(i)];
        loss += 0.5 * weight * r * r, total += weight, ++rows;
      }
      sum += loss / total * static_cast<double>(rows) / static_cast<double>(kFoldRows);
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
    const auto one =
        solve_path(build_catalog(), fold_spec(), grid, {}, problem.data(problem.y, {.weights = problem.w}));
    const auto two = solve_path(build_catalog(), fold_spec({"penalty.use=group", "penalty.groups=rows"}),
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
  HostParts data() const {
    HostParts parts;
    parts.data = data_from_triplets(row, col, value, kRows, kCols);
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
}
