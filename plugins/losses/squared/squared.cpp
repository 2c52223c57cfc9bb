// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

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
              "Gauss, 1809")
