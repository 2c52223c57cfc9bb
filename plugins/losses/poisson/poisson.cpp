// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>
#include <shared/losses/extended_exp.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = exp(z) - y z - y + y log y, y >= 0: half the deviance of the Poisson likelihood with
/// logarithmic link. With t = z - log y it is y (exp(t) - 1 - t), and inf psi = 0. The curvature psi'' =
/// exp(z) is not bounded. The conjugate is psi*(u, y) = (u + y) log(u + y) - y log y - u, u >= -y.
struct PoissonLoss {
  static constexpr const char* kTargets = "a number >= 0";
  static bool accepts(double y) { return y >= 0.0; }

  /// mean(z) = exp(z), the expected count.
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return slope(z); }
  static double slope(double z) { return sdk::ExtendedExp::slope(z); }

  double value(double z, double y) const {
    if (y == 0.0) return sdk::ExtendedExp::value(z);
    const double t = z - std::log(y);
    return std::abs(t) <= 1.0 ? y * (std::expm1(t) - t) : sdk::ExtendedExp::value(z) - y - y * t;
  }
  double derivative(double z, double y) const { return slope(z) - y; }
  double second_derivative(double z, double) const { return slope(z); }
  double conjugate(double u, double y) const {
    if (!(u >= -y)) return std::numeric_limits<double>::infinity();
    if (y == 0.0) return sdk::entropy_term(u) - u;
    return u * std::log(y) + (u > -y ? (u + y) * std::log1p(u / y) : 0.0) - u;
  }
  LossConstants constants() const { return {.convex = true, .lower_smoothness = 0.0, .lower_bound = 0.0}; }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<PoissonLoss>, Kind::loss, "poisson", "", "1.0.0",
    "Poisson loss with logarithmic link, exp(z) - y z - y + y log y",
    "psi(z, y) = exp(z) - y z - y + y log y, y >= 0: half the deviance, the negative log-likelihood less its "
    "least value. Convex; psi'' has no bound. Beyond z = 300 psi goes on along its tangent: exp(z) would "
    "overflow.",
    "Nelder, Wedderburn: Generalized linear models, JRSS A 135 (1972)",
    "Use it for counts, and for rates with the log of the exposure as offset. psi'' has no "
    "bound: along stochastic gradients proximal-gradient needs algorithm.step, and "
    "coordinate-descent refuses it. Where counts vary more than their mean take "
    "negative-binomial, for amounts that are often exactly 0 tweedie.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=poisson penalty.use=l1 "
    "penalty.lambda=0.1*max stop.relative_gap=1e-6")
