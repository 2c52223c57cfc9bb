// SPDX-License-Identifier: BSD-3-Clause
// The loss of a quantile with its corner: minima by vertices, in any unit, with any penalty, and what refuses
// it.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace claros::test::quantiles {

namespace {

constexpr std::size_t kRows = 60, kCols = 2;

struct Rows {
  std::vector<double> a = normals(51, kRows*kCols), y = normals(52, kRows);
  Rows() {
    for (std::size_t i = 0; i < kRows; ++i) y[i] = a[i * kCols] + y[i] * y[i] * y[i];
  }
};

/// (1/n) sum_i max((1 - tau) r_i, -tau r_i) + lambda ||x||_1, r_i = a_i1 x_1 + a_i2 x_2 + b - y_i.
double value(const Rows& rows, const std::vector<double>& x, double tau, double lambda) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kRows; ++i) {
    const double r = rows.a[i * kCols] * x[0] + rows.a[i * kCols + 1] * x[1] + x[2] - rows.y[i];
    sum += std::max((1.0 - tau) * r, -tau * r) / kRows;
  }
  return sum + lambda * (std::abs(x[0]) + std::abs(x[1]));
}

/// The least value over the vertices: coefficients of which some are 0, the others solving as many rows.
double least_value(const Rows& rows, double tau, double lambda) {
  double least = std::numeric_limits<double>::infinity();
  const auto take = [&](std::vector<double> x) { least = std::min(least, value(rows, x, tau, lambda)); };
  const auto a = [&](std::size_t i, std::size_t j) { return rows.a[i * kCols + j]; };
  for (std::size_t i = 0; i < kRows; ++i) {
    take({0.0, 0.0, rows.y[i]});
    for (std::size_t k = 0; k < i; ++k) {
      for (std::size_t j = 0; j < kCols; ++j) {
        std::vector<double> x(3, 0.0);
        x[j] = (rows.y[i] - rows.y[k]) / (a(i, j) - a(k, j));
        x[2] = rows.y[i] - a(i, j) * x[j];
        take(x);
      }
      for (std::size_t l = 0; l < k; ++l) {
        const double p = a(i, 0) - a(l, 0), q = a(i, 1) - a(l, 1), r = a(k, 0) - a(l, 0),
                     s = a(k, 1) - a(l, 1), u = rows.y[i] - rows.y[l], v = rows.y[k] - rows.y[l];
        const double x = (u * s - q * v) / (p * s - q * r), z = (p * v - u * r) / (p * s - q * r);
        take({x, z, rows.y[l] - a(l, 0) * x - a(l, 1) * z});
      }
    }
  }
  return least;
}

RunResult fit(const Rows& rows, double unit, const Values& penalty, double tau, double target) {
  std::vector<double> y;
  for (const double of_row : rows.y) y.push_back(unit * of_row);
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"loss", "quantile"}, {"loss.tau", tau}, {"intercept", true}})
      .data(data_from_rows(rows.a, kRows, kCols, y));
  Values settings(penalty.begin() + 1, penalty.end());
  solver.penalty(penalty.front().first, settings).stop_when({{"relative_gap", target}, {"iterations", 2000}});
  return solver.solve();
}

}  // namespace

TEST_CASE("quantiles: the minimum is that of the best vertex, with its gap, at every tau and lambda") {
  const Rows rows;
  for (const double tau : {0.1, 0.5, 0.85})
    for (const double lambda : {1e-4, 0.05, 0.3}) {
      CAPTURE(tau);
      CAPTURE(lambda);
      const RunResult r = fit(rows, 1.0, {{"l1", 0.0}, {"lambda", lambda}}, tau, 1e-9);
      const double least = least_value(rows, tau, lambda);
      CHECK(r.status == Status::relative_gap);
      CHECK(r.measurement.value == doctest::Approx(value(rows, r.answer.to_dense(), tau, lambda)));
      CHECK(r.measurement.value == doctest::Approx(least).epsilon(2e-9));
      CHECK(r.measurement.value - r.measurement.gap <= least * (1.0 + 1e-12));
    }
}

TEST_CASE("quantiles: without a penalty a few rounds end at the best vertex, at every tau and unit") {
  const Rows rows;
  for (const double tau : {0.05, 0.5, 0.9})
    for (const double unit : {1e-6, 1.0, 1e7}) {
      CAPTURE(tau);
      CAPTURE(unit);
      std::vector<double> y;
      for (const double of_row : rows.y) y.push_back(unit * of_row);
      for (const bool is_zero_penalty : {false, true}) {
        Solver solver(build_catalog());
        solver.objective("linear-model", {{"loss", "quantile"}, {"loss.tau", tau}, {"intercept", true}})
            .data(data_from_rows(rows.a, kRows, kCols, y));
        if (is_zero_penalty) solver.penalty("l1", {{"lambda", 0.0}});
        const RunResult r = solver.stop_when({{"residual", 1e-9}, {"iterations", 3}}).solve();
        CHECK(r.status == Status::residual);
        CHECK(r.measurement.value / unit == doctest::Approx(least_value(rows, tau, 0.0)).epsilon(1e-12));
      }
    }
}

TEST_CASE("quantiles: many columns far from 0 beside few rows, with the gap of the vertex") {
  constexpr std::size_t kWide = 60;
  for (const std::size_t n : {std::size_t{1}, std::size_t{3}})
    for (const double lambda : {0.01, 1.0}) {
      CAPTURE(n);
      CAPTURE(lambda);
      std::vector<double> a = normals(53, n * kWide);
      for (double& value : a) value += 1e4;
      Solver solver(build_catalog());
      solver.objective("linear-model", {{"loss", "quantile"}, {"loss.tau", 0.5}, {"intercept", false}})
          .data(data_from_rows(a, n, kWide, std::vector<double>(n, 3.0)));
      solver.penalty("l1", {{"lambda", lambda}});
      // Prices of columns that are nearly equal are known to fewer digits.
      const double target = n > 1 ? 1e-4 : 1e-7;
      const RunResult r = solver.stop_when({{"relative_gap", target}, {"iterations", 9}}).solve();
      CHECK(r.status == Status::relative_gap);
      if (n > 1) continue;
      const double longest = *std::ranges::max_element(a);
      CHECK(r.measurement.value == doctest::Approx(3.0 * lambda / longest).epsilon(1e-6));
    }
}

TEST_CASE("quantiles: coefficients have the unit of the response, of every separable penalty") {
  const Rows rows;
  for (const Values& penalty :
       {Values{{"l1", 0.0}, {"lambda", 0.05}}, Values{{"group", 0.0}, {"lambda", 0.05}, {"groups", "2"}},
        Values{{"sparse-group", 0.0}, {"lambda", 0.05}, {"groups", "2"}}}) {
    CAPTURE(penalty.front().first);
    const std::vector<double> first = fit(rows, 1.0, penalty, 0.8, 1e-9).answer.to_dense();
    for (const double unit : {1e-8, 1e-3, 1e5}) {
      CAPTURE(unit);
      const RunResult r = fit(rows, unit, penalty, 0.8, 1e-9);
      CHECK(r.status == Status::relative_gap);
      for (std::size_t j = 0; j < first.size(); ++j)
        CHECK(r.answer.to_dense()[j] / unit == doctest::Approx(first[j]).epsilon(1e-6).scale(1.0));
    }
  }
}

TEST_CASE("quantiles: max is the least lambda whose solution is 0") {
  const Rows rows;
  const auto support = [&](const char* lambda) {
    Solver solver(build_catalog());
    solver.objective("linear-model", {{"loss", "quantile"}, {"loss.tau", 0.3}, {"intercept", true}})
        .data(data_from_rows(rows.a, kRows, kCols, rows.y));
    solver.penalty("l1", {{"lambda", lambda}}).stop_when({{"relative_gap", 1e-9}, {"iterations", 2000}});
    const RunResult r = solver.solve();
    CHECK(r.status == Status::relative_gap);
    return std::abs(r.answer.to_dense()[0]) + std::abs(r.answer.to_dense()[1]);
  };
  CHECK(support("1.0001*max") == 0.0);
  CHECK(support("0.9*max") > 0.0);
}

TEST_CASE("quantiles: what needs a smooth loss refuses the corner, and says how to round it") {
  const Rows rows;
  const auto is_refused = [&](const Values& more, const std::function<void(Solver&)>& compose) {
    Values model{{"loss", "quantile"}};
    model.insert(model.end(), more.begin(), more.end());
    Solver solver(build_catalog());
    solver.objective("linear-model", model).data(data_from_rows(rows.a, kRows, kCols, rows.y));
    solver.stop_when({{"iterations", 3}});
    compose(solver);
    return std::ranges::any_of(complaints_of(solver), [](const std::string& sentence) {
      return sentence.find("delta above 0") != std::string::npos;
    });
  };
  for (const char* algorithm : {"lbfgs", "prox-newton", "proximal-gradient", "coordinate-descent"}) {
    CAPTURE(algorithm);
    const auto by = [&](Solver& solver) { solver.penalty("ridge", {{"lambda", 0.1}}).algorithm(algorithm); };
    CHECK(is_refused({}, by));
    CHECK_FALSE(is_refused({{"loss.delta", 0.1}}, by));
  }
  CHECK(is_refused({}, [](Solver& solver) { solver.constraint("l1-ball", {{"radius", 1.0}}); }));
  CHECK(is_refused({{"errors_in_variables", "0.1"}}, [](Solver& solver) {
    solver.penalty("l1", {{"lambda", 0.1}});
  }));
}

}  // namespace claros::test::quantiles
