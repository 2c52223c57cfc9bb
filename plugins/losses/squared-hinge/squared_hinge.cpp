// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = max(0, 1 - y z)^2 / 2, y in {-1, +1}. The curvature psi'' jumps from 1 to 0 at y z = 1.
/// psi*(u, y) = s + s^2/2, s = u y <= 0.
struct SquaredHingeLoss {
  static constexpr const char* kTargets = "-1 or 1";
  static bool accepts(double y) { return y == 1.0 || y == -1.0; }

  double value(double z, double y) const {
    const double short_of = std::fmax(1.0 - y * z, 0.0);
    return 0.5 * short_of * short_of;
  }
  double derivative(double z, double y) const { return -y * std::fmax(1.0 - y * z, 0.0); }
  double second_derivative(double z, double y) const { return y * z < 1.0 ? 1.0 : 0.0; }
  double conjugate(double u, double y) const {
    const double s = u * y;
    return s <= 0.0 ? s * (1.0 + 0.5 * s) : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true, .smoothness = 1.0, .lower_smoothness = 0.0, .lower_bound = 0.0};
  }
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<SquaredHingeLoss>, Kind::loss, "squared-hinge", "", "1.0.0",
              "Squared hinge loss, max(0, 1 - y z)^2 / 2",
              "psi(z, y) = max(0, 1 - y z)^2 / 2, y = -1 or 1. Two classes of other names, and 0 and 1, are "
              "taken as these. Convex.",
              "Cortes, Vapnik: Support-vector networks, Machine Learning 20 (1995)",
              "Use it for two classes where the class is wanted and no probability, as in a linear support "
              "vector machine. With ridge alone LIBLINEAR is faster in the measured case. For "
              "probabilities take logistic, for more than two classes multinomial.",
              "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
              "data.response=logistic objective.use=linear-model objective.loss=squared-hinge "
              "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
