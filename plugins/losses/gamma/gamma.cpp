// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>
#include <shared/losses/extended_exp.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = y exp(-z) + z - 1 - log y, y > 0: half the deviance of the gamma likelihood with logarithmic
/// link and shape 1. Another shape multiplies psi. With t = z - log y it is exp(-t) - 1 + t, and inf psi = 0.
/// The curvature psi'' = y exp(-z) has no bound. The conjugate is psi*(u, y) = (1 - u) log(1 - u) + u + u log
/// y, u <= 1.
struct GammaLoss {
  static constexpr const char* kTargets = "a number > 0";
  static bool accepts(double y) { return y > 0.0; }

  /// mean(z) = exp(z), the expected target.
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return sdk::ExtendedExp::slope(z); }

  double value(double z, double y) const {
    const double t = z - std::log(y);
    return std::abs(t) <= 1.0 ? std::expm1(-t) + t : y * sdk::ExtendedExp::value(-z) - 1.0 + t;
  }
  double derivative(double z, double y) const { return 1.0 - y * sdk::ExtendedExp::slope(-z); }
  double second_derivative(double z, double y) const { return y * sdk::ExtendedExp::slope(-z); }
  double conjugate(double u, double y) const {
    if (!(u <= 1.0)) return std::numeric_limits<double>::infinity();
    return (u < 1.0 ? (1.0 - u) * std::log1p(-u) : 0.0) + u + u * std::log(y);
  }
  LossConstants constants() const { return {.convex = true, .lower_smoothness = 0.0, .lower_bound = 0.0}; }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<GammaLoss>, Kind::loss, "gamma", "", "1.0.0",
    "Gamma regression with logarithmic link, y exp(-z) + z - 1 - log y",
    "psi(z, y) = y exp(-z) + z - 1 - log y, y > 0: half the deviance, the negative log-likelihood of a gamma "
    "distribution with mean exp(z) and shape 1 less its least value. For positive targets whose standard "
    "deviation grows with their mean (costs, durations). Convex; psi'' has no bound: steps along full "
    "gradients are found by line search. Beyond z = -300 psi goes on along its tangent: exp(-z) would "
    "overflow.",
    "McCullagh, Nelder: Generalized linear models, 2nd edition, 1989, chapter 8",
    "Use it for positive amounts whose standard deviation grows with their mean, such as costs "
    "and durations. psi'' has no bound: along stochastic gradients proximal-gradient needs "
    "algorithm.step, and coordinate-descent refuses it. Where some amounts are exactly 0 take "
    "tweedie, for censored durations the objective cox.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=gamma "
    "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
