// SPDX-License-Identifier: BSD-3-Clause
// Matrix regression over a nuclear-norm ball, convex and with errors in variables (Li, Qu, Xu): methods of
// different kinds come to the same answer, to 1e-6 of what there is to gain, each with a gap of its own that
// proves it or, where f is not convex, that its point is stationary to that accuracy.
#include <claros/dataset.hpp>
#include <claros/map/design.hpp>
#include <claros/run/run_loop.hpp>

#include "compose_for_test.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {

struct RegressionSize {
  Index d, r, n;
};

Words matrix_regression(const RegressionSize& size, double errors) {
  const std::string gamma = print_real(errors);
  return {"data.use=synthetic-matrix-regression",
          "data.rows=" + std::to_string(size.d),
          "data.rank=" + std::to_string(size.r),
          "data.count=" + std::to_string(size.n),
          "data.errors=" + gamma,
          "objective.use=linear-model",
          "objective.errors_in_variables=" + gamma,
          "set.use=nuclear-ball",
          "set.radius=50"};
}

/// f(0)
double at_zero(const Words& problem) {
  const std::vector<double> y = make_data(build_catalog(), spec_of(problem))->design()->response;
  return std::inner_product(y.begin(), y.end(), y.begin(), 0.0) / (2.0 * static_cast<double>(y.size()));
}

/// The values that the methods end with, each by its gap.
std::vector<double> values_of(const Words& problem, double gap, const std::vector<Words>& methods) {
  std::vector<double> values;
  for (const Words& method : methods) {
    CAPTURE(method.front());
    CAPTURE(values.size());
    const RunResult result =
        solve(problem + method + Words{"stop.passes=20000", "stop.gap=" + print_real(gap)});
    CHECK(text(result.status) == "gap");
    CHECK(result.measurement.gap <= gap);
    values.push_back(result.measurement.value);
  }
  return values;
}

const Words kProjected{"algorithm.use=proximal-gradient", "algorithm.accelerate=off"},
    kSliding{"algorithm.use=sliding", "algorithm.form=convex"};

}  // namespace

TEST_CASE(
    "matrix regression: projected gradient, projected SVRG, CGS and STORC agree to 1e-6, convex or with "
    "errors in variables") {
  for (const double errors : {0.0, 0.1}) {
    CAPTURE(errors);
    const Words problem = matrix_regression({12, 2, 300}, errors);
    const double accuracy = 1e-6 * at_zero(problem);
    const std::vector<double> values =
        values_of(problem, accuracy,
                  {kProjected, kProjected + Words{"estimator.use=svrg"}, kSliding,
                   kSliding + Words{"estimator.use=svrg", "estimator.batch=100", "estimator.epoch=20"}});
    for (const double value : values) CHECK(std::abs(value - values.front()) <= accuracy);
  }
}

TEST_CASE(
    "matrix regression: the default choice solves 1000 observations of a 40 x 40 matrix of rank 3 to 1e-6, "
    "as projected gradient does") {
  for (const double errors : {0.0, 0.1}) {
    CAPTURE(errors);
    const Words problem = matrix_regression({40, 3, 1000}, errors);
    const double accuracy = 1e-6 * at_zero(problem);
    const std::vector<double> values = values_of(problem, accuracy, {{"algorithm.use=auto"}, kProjected});
    CHECK(std::abs(values[0] - values[1]) <= accuracy);
  }
}

TEST_CASE(
    "matrix regression: a step of projected SVRG reads the rows of its batch, not those of all steps "
    "before") {
  const Words problem =
      matrix_regression({12, 2, 300}, 0.0) + kProjected +
      Words{"estimator.use=svrg", "estimator.batch=3", "estimator.epoch=50", "algorithm.step=1e-4"};
  const RunResult result = solve(
      problem +
      Words{"stop.iterations=40"});  // short steps: inside the ball, where the projection is the identity
  for (const Part& part : result.answer.parts()) CHECK_FALSE(std::holds_alternative<AdjointForm>(part.form));
}
