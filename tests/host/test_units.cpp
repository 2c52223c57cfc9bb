// SPDX-License-Identifier: BSD-3-Clause
// The same model in any units: targets of a run are relative to what a model leaves unexplained, and no
// verdict hangs on a constant of the responses, on their unit, or on where the columns of a likelihood lie.
#include "../core/test_files.hpp"
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/paths/solve_path.hpp>

#include <array>
#include <cmath>

namespace claros::test::units {

namespace {

using Numbers = std::vector<double>;

constexpr std::size_t kRows = 90, kCols = 4;

struct Problem {
  Numbers a, y;
  Index rows = static_cast<Index>(kRows), cols = static_cast<Index>(kCols);
};

/// Half of the rows have 1 in a column of one number, half 0; the means of their counts are m and m (1 + e).
Problem two_groups(double m, double e) {
  Problem p;
  p.rows = 40;
  p.cols = 1;
  for (Index i = 0; i < p.rows; ++i) {
    const double x = i % 2 == 0 ? 0.0 : 1.0, spread = static_cast<double>(i / 2) - 9.5;
    p.a.push_back(x);
    p.y.push_back(std::round(m * (1.0 + e * x) + 0.3 * std::sqrt(m) * spread / 9.5));
  }
  return p;
}

/// Positive responses of a few columns.
Problem positive(double unit) {
  Problem p;
  p.a = normals(31, kRows * kCols);
  const Numbers noise = normals(32, kRows);
  for (std::size_t i = 0; i < kRows; ++i)
    p.y.push_back(unit * std::exp(0.8 * p.a[i * kCols] - 0.5 * p.a[i * kCols + 1] + 0.4 * noise[i]));
  return p;
}

Solver solver_of(const Problem& p, const std::string& loss, const std::string& lambda) {
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"loss", loss}, {"intercept", true}})
      .penalty("l1", {{"lambda", lambda}})
      .data(data_from_rows(p.a, p.rows, p.cols, p.y))
      .stop_when({{"relative_gap", 1e-6}, {"iterations", 500}});
  return solver;
}

}  // namespace

TEST_CASE("counts: a small effect on large counts is found, however large the counts are") {
  for (const char* loss : {"poisson", "negative-binomial"})
    for (const double m : {1e2, 1e4, 1e6, 1e8}) {
      CAPTURE(loss);
      CAPTURE(m);
      const Problem p = two_groups(m, 0.03);
      double sums[2] = {0.0, 0.0};
      for (std::size_t i = 0; i < p.y.size(); ++i) sums[i % 2] += p.y[i];
      const RunResult fit = solver_of(p, loss, "1e-4*max").solve();
      if (m <= 1e4)
        CHECK(fit.status == Status::relative_gap);
      else  // the arithmetic of such counts may show no more
        CHECK(!is_trouble(fit.status));
      CHECK(fit.answer.to_dense()[0] == doctest::Approx(std::log(sums[1] / sums[0])).epsilon(2e-3));
    }
}

TEST_CASE("amounts with an intercept: the unit of the response changes no step and no coefficient") {
  for (const char* loss : {"gamma", "tweedie"}) {
    CAPTURE(loss);
    const RunResult one = solver_of(positive(1.0), loss, "0.05*max").solve();
    REQUIRE(one.status == Status::relative_gap);
    for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) {
      CAPTURE(unit);
      const RunResult other = solver_of(positive(unit), loss, "0.05*max").solve();
      CHECK(other.status == Status::relative_gap);
      const Numbers x = one.answer.to_dense(), z = other.answer.to_dense();
      for (std::size_t j = 0; j < kCols; ++j) CHECK(std::abs(z[j] - x[j]) <= 2e-3);
      CHECK(z[kCols] - x[kCols] == doctest::Approx(std::log(unit)).epsilon(1e-3));
      const double scale = std::string(loss) == "gamma" ? 1.0 : std::sqrt(unit);
      CHECK(other.measurement.value == doctest::Approx(scale * one.measurement.value).epsilon(1e-5));
    }
  }
}

TEST_CASE("counts that are all 0 have no intercept that fits best: they are refused") {
  Problem p = two_groups(5.0, 0.0);
  std::ranges::fill(p.y, 0.0);
  for (const char* loss : {"poisson", "negative-binomial", "tweedie"}) {
    CAPTURE(loss);
    const std::string said = refusal(ErrorKind::data, [&] { (void)solver_of(p, loss, "0.1").solve(); });
    CHECK(said.find("no minimum exists") != std::string::npos);
    p.y[3] = 1.0;
    CHECK(solver_of(p, loss, "0.1").solve().status == Status::relative_gap);
    p.y[3] = 0.0;
  }
}

TEST_CASE("a column without an event: a tiny lambda takes few steps") {
  Problem p = two_groups(3.0, 0.0);
  for (std::size_t i = 1; i < p.y.size(); i += 2) p.y[i] = 0.0;
  for (const char* loss : {"poisson", "tweedie", "negative-binomial"})
    for (const char* lambda : {"1e-4", "1e-6", "1e-8"}) {
      CAPTURE(loss);
      CAPTURE(lambda);
      const RunResult fit = solver_of(p, loss, lambda).solve();
      CHECK(fit.status == Status::relative_gap);
      CHECK(fit.iterations < 100);
    }
}

TEST_CASE("a row of weight 0 is no row: values, coefficients and criteria are those without it") {
  for (const char* loss : {"squared", "poisson", "gamma"}) {
    CAPTURE(loss);
    Problem p = positive(2.0), without;
    without.rows = 0;
    Numbers weights;
    for (std::size_t i = 0; i < kRows; ++i) {
      weights.push_back(i % 3 == 1 ? 0.0 : 1.0);
      if (weights.back() == 0.0) {
        p.y[i] = std::string(loss) == "squared" ? 1e9 : -1.0;  // which no loss of counts accepts
        continue;
      }
      without.a.insert(without.a.end(), p.a.begin() + static_cast<std::ptrdiff_t>(i * kCols),
                       p.a.begin() + static_cast<std::ptrdiff_t>((i + 1) * kCols));
      without.y.push_back(p.y[i]);
      ++without.rows;
    }
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"loss", loss}, {"intercept", true}})
        .penalty("l1", {{"lambda", 0.01}})
        .data(data_from_rows(p.a, p.rows, p.cols, p.y, Entries::copied, {.weights = weights}))
        .stop_when({{"relative_gap", 1e-9}});
    const RunResult with = solver.solve();
    Solver plain(build_catalog());
    plain.objective("linear-model", {{"loss", loss}, {"intercept", true}})
        .penalty("l1", {{"lambda", 0.01}})
        .data(data_from_rows(without.a, without.rows, without.cols, without.y))
        .stop_when({{"relative_gap", 1e-9}});
    const RunResult alone = plain.solve();
    CHECK(with.measurement.value == alone.measurement.value);
    CHECK(with.answer.to_dense() == alone.answer.to_dense());
  }
}

TEST_CASE("a class whose rows all have the weight 0 is refused") {
  const Numbers a = normals(33, 12);
  for (const char* loss : {"logistic", "multinomial"}) {
    CAPTURE(loss);
    const std::size_t classes = std::string(loss) == "logistic" ? 2 : 3;
    Numbers y, weights;
    for (std::size_t i = 0; i < 12; ++i) {
      y.push_back(static_cast<double>(i % classes));
      weights.push_back(i % classes == 1 ? 0.0 : 1.0);
    }
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"loss", loss}}).penalty("ridge", {{"lambda", 1.0}});
    solver.data(data_from_rows(a, 12, 1, y, Entries::copied, {.weights = weights}));
    const std::string said = refusal(ErrorKind::data, [&] { (void)solver.solve(); });
    CHECK(said.find("have the weight 0") != std::string::npos);
  }
}

TEST_CASE("multinomial with an intercept: a run ends at a verified relative gap") {
  const Problem p = positive(1.0);
  Numbers y;
  for (std::size_t i = 0; i < kRows; ++i)
    y.push_back(p.y[i] > 1.5 ? 2.0 : p.a[i * kCols + 2] > 0.3 ? 1.0 : 0.0);
  for (const char* penalty : {"l1", "ridge", "group"})
    for (const char* lambda : {"0.1", "1e-3"}) {
      CAPTURE(penalty);
      CAPTURE(lambda);
      Solver solver(build_catalog());
      solver.objective("linear-model", {{"loss", "multinomial"}, {"intercept", true}})
          .data(data_from_rows(p.a, p.rows, p.cols, y))
          .stop_when({{"relative_gap", 1e-7}, {"iterations", 5000}});
      if (std::string(penalty) == "group")
        solver.penalty(penalty, {{"lambda", lambda}, {"groups", "rows"}});
      else
        solver.penalty(penalty, {{"lambda", lambda}});
      const RunResult fit = solver.solve();
      CHECK(fit.status == Status::relative_gap);
      CHECK(fit.measurement.confirmed);
      const RunResult further = solver.stop_when({{"residual", 1e-10}}).solve();
      CHECK(fit.measurement.value - fit.measurement.gap <= further.measurement.value);
      CHECK(fit.measurement.value >= further.measurement.value - 1e-12);
    }
}

TEST_CASE("tall tables: paths, folds and what they choose are those of all rows, whatever chooses") {
  constexpr Index kTall = 600;
  const Numbers a = normals(34, kTall * kCols), noise = normals(35, kTall);
  Numbers y, weights;
  for (std::size_t i = 0; i < at(kTall); ++i) {
    y.push_back(4.0 + a[i * kCols] - 0.5 * a[i * kCols + 1] + noise[i]);
    weights.push_back(static_cast<double>(1 + i % 3));
  }
  for (const bool intercept : {true, false})
    for (const bool weighted : {false, true})
      for (const FoldMetric by : {FoldMetric::loss, FoldMetric::mae, FoldMetric::r2}) {
        CAPTURE(intercept);
        CAPTURE(weighted);
        Spec spec;
        spec.assign({"objective.use=linear-model", "penalty.use=l1", "stop.relative_gap=1e-8"});
        spec.set("objective.intercept", intercept ? "yes" : "no");
        HostParts parts;
        parts.data =
            data_from_rows(a, kTall, kCols, y, Entries::copied, {.weights = weighted ? weights : Numbers()});
        const PathGrid grid{.lambdas = 12, .ratio = 1e-2, .explained = 1.0, .folds = 4, .by = by};
        const PathRecord few = solve_path(build_catalog(), spec, grid, {}, parts);
        spec.set("stop.passes", "1e9");  // a budget that counts the rows: none stand for others
        const PathRecord all = solve_path(build_catalog(), spec, grid, {}, parts);
        REQUIRE(few.points.size() == all.points.size());
        CHECK(few.chosen == all.chosen);
        for (std::size_t k = 0; k < all.points.size(); ++k) {
          CHECK(few.points[k].result.measurement.value ==
                doctest::Approx(all.points[k].result.measurement.value).epsilon(1e-7));
          CHECK(few.validation->loss[k].mean == doctest::Approx(all.validation->loss[k].mean).epsilon(1e-6));
          CHECK(few.validation->loss[k].error ==
                doctest::Approx(all.validation->loss[k].error).epsilon(1e-4));
          CHECK(few.validation->beside[k].mean ==
                doctest::Approx(all.validation->beside[k].mean).epsilon(1e-6));
        }
      }
}

}  // namespace claros::test::units
