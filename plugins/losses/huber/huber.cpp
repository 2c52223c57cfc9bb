// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond; r = z - y. The curvature psi'' jumps
/// from 1 to 0 at delta, so that it has no Lipschitz constant; sup psi'' = 1. The conjugate is psi*(u, y) = u
/// y + u^2/2 for |u| <= delta.
struct HuberLoss {
  double delta = 1.0;
  static const ParameterList& parameters() {
    static const ParameterTable<HuberLoss> table{
        row("delta", &HuberLoss::delta, above(0), "the residual where the loss becomes linear", "delta")};
    return table;
  }

  double value(double z, double y) const {
    const double r = std::abs(z - y);
    return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
  }
  double derivative(double z, double y) const { return std::fmin(std::fmax(z - y, -delta), delta); }
  double second_derivative(double z, double y) const { return std::abs(z - y) <= delta ? 1.0 : 0.0; }
  double conjugate(double u, double y) const {
    return std::abs(u) <= delta ? u * (y + 0.5 * u) : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 1.0,
            .lower_smoothness = 0.0,
            .lower_bound = 0.0,
            .of_difference = true};
  }
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<HuberLoss>, Kind::loss, "huber", "", "1.0.0",
              "Huber loss, r^2/2 for |r| <= delta, linear beyond",
              "psi(z, y) = r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond, r = z - y. Convex.",
              "Huber: Robust estimation of a location parameter, Ann. Math. Statist. 35 (1964)",
              "Use it where some responses or entries are outliers: their influence is bounded, "
              "and the problem stays convex. delta is in the units of the response; choose it "
              "near the size of an ordinary residual. Without outliers take squared. For gross "
              "outliers take robust, which is not convex.",
              "data.use=synthetic objective.use=matrix-completion objective.loss=huber "
              "set.use=nuclear-ball set.radius=50 stop.relative_gap=1e-2")
