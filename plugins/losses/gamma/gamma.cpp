// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>
#include <claros/sdk/losses/extended_exp.hpp>

#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = y exp(-z) + z, y > 0. This is the gamma likelihood with logarithmic link and shape 1, without
/// terms of y alone. Another shape multiplies psi. The curvature psi'' = y exp(-z) has no bound, and inf psi
/// = 1 + log y depends on y. The conjugate is psi*(u, y) = t log(t / y) - t, t = 1 - u >= 0.
struct GammaLoss {
  static constexpr const char* kTargets = "a number > 0";
  static bool accepts(double y) { return y > 0.0; }

  /// mean(z) = exp(z), the expected target.
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return sdk::ExtendedExp::slope(z); }

  double value(double z, double y) const { return y * sdk::ExtendedExp::value(-z) + z; }
  double derivative(double z, double y) const { return 1.0 - y * sdk::ExtendedExp::slope(-z); }
  double second_derivative(double z, double y) const { return y * sdk::ExtendedExp::slope(-z); }
  double conjugate(double u, double y) const {
    const double t = 1.0 - u;
    return t >= 0.0 ? sdk::entropy_term(t) - t * (std::log(y) + 1.0)
                    : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = std::nullopt,
            .lower_smoothness = 0.0,
            .third = std::nullopt,
            .lower_bound = std::nullopt};
  }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<GammaLoss>, Kind::loss, "gamma", "", "1.0.0",
    "Gamma regression with logarithmic link, psi = y exp(-z) + z",
    "psi(z, y) = y exp(-z) + z, y > 0: the negative log-likelihood of a gamma distribution with mean exp(z), "
    "up to its shape. For positive targets whose standard deviation grows with their mean (costs, "
    "durations). "
    "Convex; psi'' has no bound: steps along full gradients are found by line search. Beyond z = -300 psi "
    "goes on along its tangent: exp(-z) would overflow.",
    "McCullagh, Nelder: Generalized linear models, 2nd edition, 1989, chapter 8",
    "Use it for positive amounts whose standard deviation grows with their mean, such as costs "
    "and durations. psi'' has no bound: along stochastic gradients proximal-gradient needs "
    "algorithm.step, and coordinate-descent refuses it. Where some amounts are exactly 0 take "
    "tweedie, for censored durations the objective cox.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=gamma "
    "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
