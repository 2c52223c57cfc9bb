// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

namespace {

using namespace claros;

/// psi(z, y) = (z - y)^2 / 2,  psi*(u, y) = u y + u^2 / 2.
struct SquaredLoss {
  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double derivative(double z, double y) const { return z - y; }
  double second_derivative(double, double) const { return 1.0; }
  double conjugate(double u, double y) const { return u * (y + 0.5 * u); }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 1.0,
            .lower_smoothness = 0.0,
            .third = 0.0,
            .lower_bound = 0.0,
            .of_difference = true};
  }
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<SquaredLoss>, Kind::loss, "squared", "", "1.0.0", "Squared loss, (z - y)^2 / 2",
              "psi(z, y) = (z - y)^2 / 2. Convex, with a conjugate, so that duality gaps are known.",
              "Gauss, 1809",
              "Use it to predict the mean of a response whose noise has about the same size everywhere; "
              "it is the default. One outlier can move the solution without bound: take huber "
              "or robust there. For two classes take logistic, for counts poisson, for noise of "
              "unknown size the objective square-root.",
              "data.use=synthetic-regression data.rows=200 data.cols=50 "
              "data.nonzero=5 objective.use=linear-model objective.loss=squared "
              "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
