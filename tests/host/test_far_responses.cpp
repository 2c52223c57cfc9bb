// SPDX-License-Identifier: BSD-3-Clause
// Responses far from 0, which an intercept takes up: residuals are relative to the gradient of the model of
// the intercept alone, and the coefficients are those of responses around 0 to the digits that were asked
// for.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>

#include <algorithm>
#include <cmath>

namespace claros::test::far_responses {

namespace {

constexpr std::size_t kRows = 150, kCols = 6;

struct Rows {
  std::vector<double> a = normals(31, kRows*kCols), noise = normals(32, kRows), z;

  Rows() {
    for (std::size_t i = 0; i < kRows; ++i)
      z.push_back(0.8 * a[i * kCols] - 0.5 * a[i * kCols + 3] + 0.1 * noise[i]);
  }
  /// Of the identity, away + z, and of the logarithm, away e^z.
  std::vector<double> response(double away, bool logarithm) const {
    std::vector<double> y;
    for (const double value : z) y.push_back(logarithm ? away * std::exp(value) : away + value);
    return y;
  }
};

RunResult fit(const Rows& rows, const std::vector<double>& y, const Values& model, const Values& stop = {}) {
  Solver solver(build_catalog());
  solver.objective("linear-model", model).data(data_from_rows(rows.a, kRows, kCols, y));
  if (!stop.empty()) solver.stop_when(stop);
  return solver.solve();
}

Values with_intercept(const char* loss) { return {{"loss", loss}, {"intercept", true}}; }

/// ||A'(y - c)|| / n.
double slope_of_squares(const Rows& rows, const std::vector<double>& y, double c) {
  double sum = 0.0;
  for (std::size_t j = 0; j < kCols; ++j) {
    double slope = 0.0;
    for (std::size_t i = 0; i < kRows; ++i) slope += rows.a[i * kCols + j] * (y[i] - c) / kRows;
    sum += slope * slope;
  }
  return std::sqrt(sum);
}

double mean(const std::vector<double>& y) {
  double sum = 0.0;
  for (const double value : y) sum += value;
  return sum / static_cast<double>(y.size());
}

}  // namespace

TEST_CASE("far responses: by default the coefficients are those of responses around 0") {
  const Rows rows;
  for (const char* loss : {"squared", "huber", "poisson", "gamma"}) {
    CAPTURE(loss);
    const bool logarithm = loss == std::string("poisson") || loss == std::string("gamma");
    const double near = logarithm ? 1.0 : 0.0;
    const std::vector<double> expected =
        fit(rows, rows.response(near, logarithm), with_intercept(loss), {{"residual", 1e-10}})
            .answer.to_dense();
    for (const double away : {1e3, 1e6, 1e8}) {
      CAPTURE(away);
      const RunResult r = fit(rows, rows.response(away, logarithm), with_intercept(loss));
      CHECK(r.status == Status::residual);
      const std::vector<double> x = r.answer.to_dense();
      REQUIRE(x.size() == expected.size());
      for (std::size_t j = 0; j < kCols; ++j) CHECK(std::abs(x[j] - expected[j]) <= 1e-4);
      const double moved = logarithm ? std::log(away) : away;
      CHECK(std::abs(x.back() - expected.back() - moved) <= 1e-4 + 1e-12 * away);
    }
  }
}

TEST_CASE(
    "far responses: the scale is the gradient of the null model, where that is less than the one at 0") {
  const Rows rows;
  const std::vector<double> y = rows.response(1e6, false);
  const auto scale = [&](const Values& model) { return fit(rows, y, model).residual_scale; };
  const double of_mean = slope_of_squares(rows, y, mean(y)), at_zero = slope_of_squares(rows, y, 0.0);
  CHECK(of_mean < 1e-3 * at_zero);
  CHECK(scale(with_intercept("squared")) == doctest::Approx(of_mean).epsilon(1e-6));
  CHECK(scale({}) == doctest::Approx(at_zero).epsilon(1e-12));
}

TEST_CASE(
    "far responses: a null model that is the minimum, or that is not found, ends the run or is refused") {
  const Rows rows;
  const RunResult constant = fit(rows, std::vector<double>(kRows, 7e5), with_intercept("squared"));
  CHECK(constant.status == Status::residual);
  const std::vector<double> x = constant.answer.to_dense();
  for (std::size_t j = 0; j < kCols; ++j) CHECK(std::abs(x[j]) <= 1e-7);
  CHECK(x.back() == doctest::Approx(7e5));
  // Counts that are all 0 would send the intercept to -infinity.
  CHECK_THROWS_AS((void)fit(rows, std::vector<double>(kRows, 0.0), with_intercept("poisson")), Error);
}

TEST_CASE("far responses: straight losses with a penalty end at the minimum in responses of any unit") {
  // Columns around 40 and 12 and residuals around 8000, of losses that are straight beyond 1.
  Rows rows;
  std::vector<double> y;
  for (std::size_t i = 0; i < kRows; ++i) {
    rows.a[i * kCols] = 40.0 + 10.0 * rows.a[i * kCols],
               rows.a[i * kCols + 1] = 12.0 + 3.0 * rows.a[i * kCols + 1];
    y.push_back(20000.0 + 800.0 * rows.a[i * kCols] + 2500.0 * rows.a[i * kCols + 1] +
                8000.0 * rows.noise[i]);
  }
  for (const bool rounded : {false, true}) {
    CAPTURE(rounded);
    Values model = with_intercept(rounded ? "quantile" : "huber");
    if (rounded) model.push_back({"loss.delta", 0.1});
    const auto by = [&](const char* algorithm) {
      Solver solver(build_catalog());
      solver.objective("linear-model", model).data(data_from_rows(rows.a, kRows, kCols, y));
      solver.penalty("l1", {{"lambda", 0.01}}).stop_when({{"relative_gap", 1e-6}, {"iterations", 5000}});
      if (*algorithm) solver.algorithm(algorithm);
      return solver.solve();
    };
    const RunResult expected = by("lbfgs");
    CHECK(expected.status == Status::relative_gap);
    for (const char* algorithm : {"", "prox-newton"}) {
      CAPTURE(algorithm);
      const RunResult r = by(algorithm);
      // Quantiles have curvature within 0.1 of a response alone, of residuals around 8000: the last digits
      // are slow.
      if (!rounded) CHECK(r.status == Status::relative_gap);
      CHECK(r.measurement.value ==
            doctest::Approx(expected.measurement.value).epsilon(rounded ? 1e-3 : 3e-6));
    }
  }
}

}  // namespace claros::test::far_responses
