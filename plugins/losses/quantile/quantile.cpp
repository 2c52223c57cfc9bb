// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// Quantile regression: psi = w |r|, r = z - y. The weight w is 1 - tau for r > 0 and tau for r < 0.
/// With delta > 0, psi = w r^2 / (2 delta) if |r| <= delta and w (|r| - delta/2) beyond. The conjugate is
/// psi*(u, y) = u y + delta u^2 / (2 w) on -tau <= u <= 1 - tau.
struct QuantileLoss {
  double tau = 0.5;
  double delta = 0.0;
  static const ParameterList& parameters() {
    static const ParameterTable<QuantileLoss> table{
        row("tau", &QuantileLoss::tau, between(1e-6, 0.999999), "which quantile of y is predicted", "tau"),
        row("delta", &QuantileLoss::delta, at_least(0),
            "0: the loss itself; else half the width of a rounded corner, in units of the response, small "
            "beside its noise, for algorithms that need a smooth loss",
            "delta")};
    return table;
  }

  double weight(double sign) const { return sign > 0.0 ? 1.0 - tau : tau; }
  double value(double z, double y) const {
    const double r = std::abs(z - y);
    return weight(z - y) * (r < delta ? r * r / (2.0 * delta) : r - 0.5 * delta);
  }
  double derivative(double z, double y) const {
    if (delta == 0.0 && z == y) return 0.5 - tau;
    return weight(z - y) * std::clamp((z - y) / delta, -1.0, 1.0);
  }
  double second_derivative(double z, double y) const {
    return delta > 0.0 && std::abs(z - y) <= delta ? weight(z - y) / delta : 0.0;
  }
  double conjugate(double u, double y) const {
    const double w = weight(u);
    return std::abs(u) <= w * (1.0 + 1e-12) ? u * y + delta * u * u / (2.0 * w)
                                            : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = delta > 0.0 ? std::optional(std::max(tau, 1.0 - tau) / delta) : std::nullopt,
            .lower_smoothness = 0.0,
            .lower_bound = 0.0,
            .of_difference = true};
  }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<QuantileLoss>, Kind::loss, "quantile", "smoothed-quantile pinball", "1.0.0",
    "Quantile (pinball) loss, max((1 - tau) r, -tau r)",
    "psi(z, y) = w |r|, r = z - y, w = 1 - tau for r > 0, tau for r < 0. With delta > 0, w r^2/(2 "
    "delta) for |r| <= delta, w (|r| - delta/2) beyond.",
    "Koenker, Bassett: Regression quantiles, Econometrica 46 (1978); Chen: A "
    "finite smoothing algorithm for quantile regression, JCGS 16 (2007)",
    "Use it to predict the quantile tau in place of the mean, usually with an intercept. Linear "
    "models take the loss itself by algorithm.use = multipliers, which Claros chooses. A set, other "
    "objectives and other algorithms need a delta above 0: a small one takes more steps, a large one "
    "changes which quantile is predicted. For the mean take squared, for the centre of responses "
    "with outliers huber.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model objective.loss=quantile objective.loss.tau=0.9 "
    "objective.intercept=yes penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
