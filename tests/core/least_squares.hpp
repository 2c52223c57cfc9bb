// SPDX-License-Identifier: BSD-3-Clause
/// @file least_squares.hpp  f(x) = (1/2n) ||A x - y||^2 for a map A of the test's own.
#pragma once

#include <claros/sdk/loss_on_map.hpp>

namespace claros::testing {

struct HalfSquare {
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

class LeastSquares final : public sdk::LossOnMap {
 public:
  LeastSquares(MapPtr map, std::vector<double> y) {
    set_model(std::move(map), std::move(y), std::make_shared<sdk::LossOf<HalfSquare>>());
  }
};

}  // namespace claros::testing
