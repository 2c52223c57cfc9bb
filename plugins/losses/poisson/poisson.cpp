// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>
#include <claros/sdk/losses/extended_exp.hpp>

#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = exp(z) - y z, y >= 0. This is the Poisson likelihood with logarithmic link, without log(y!).
/// The curvature psi'' = exp(z) is not bounded, and inf psi = y - y log y depends on y. The conjugate is
/// psi*(u, y) = (u + y) log(u + y) - (u + y), u >= -y.
struct PoissonLoss {
  static constexpr const char* kTargets = "a number >= 0";
  static bool accepts(double y) { return y >= 0.0; }

  /// mean(z) = exp(z), the expected count.
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return slope(z); }
  static double slope(double z) { return sdk::ExtendedExp::slope(z); }

  double value(double z, double y) const { return sdk::ExtendedExp::value(z) - y * z; }
  double derivative(double z, double y) const { return slope(z) - y; }
  double second_derivative(double z, double) const { return slope(z); }
  double conjugate(double u, double y) const {
    const double t = u + y;
    return t >= 0.0 ? sdk::entropy_term(t) - t : std::numeric_limits<double>::infinity();
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
    sdk::LossOf<PoissonLoss>, Kind::loss, "poisson", "", "1.0.0",
    "Poisson loss with logarithmic link, exp(z) - y z",
    "psi(z, y) = exp(z) - y z, y >= 0: the negative logarithm of the likelihood without log(y!). "
    "Convex; psi'' has no bound. Beyond z = 300 psi goes on along its tangent: exp(z) would overflow.",
    "Nelder, Wedderburn: Generalized linear models, JRSS A 135 (1972)",
    "Use it for counts, and for rates with the log of the exposure as offset. psi'' has no "
    "bound: along stochastic gradients proximal-gradient needs algorithm.step, and "
    "coordinate-descent refuses it. Where counts vary more than their mean take "
    "negative-binomial, for amounts that are often exactly 0 tweedie.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=poisson penalty.use=l1 "
    "penalty.lambda=0.1*max stop.relative_gap=1e-6")
