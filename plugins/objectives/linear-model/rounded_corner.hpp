// SPDX-License-Identifier: BSD-3-Clause
/// @file rounded_corner.hpp  The rounding of a loss max(low r, high r), r = z - y.
#pragma once

#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linear_model {

/// psi(z, y) is max(low r, high r) smoothed by the uniform kernel on [-delta, delta]. For |r| <= delta it is
/// middle r + (high - low) (r^2 + delta^2)/(4 delta). The conjugate psi*(u, y) is u y + delta
/// ((u - middle)^2 / (high - low) - (high - low)/4) on low <= u <= high.
struct RoundedCorner {
  claros::sdk::Corner corner;
  double delta;

  double value(double z, double y) const {
    const double r = z - y;
    if (std::abs(r) >= delta) return std::max(corner.low * r, corner.high * r);
    return corner.middle() * r + 0.25 * corner.height() * (r * r / delta + delta);
  }
  double derivative(double z, double y) const {
    return corner.middle() + 0.5 * corner.height() * std::clamp((z - y) / delta, -1.0, 1.0);
  }
  double second_derivative(double z, double y) const {
    return std::abs(z - y) <= delta ? 0.5 * corner.height() / delta : 0.0;
  }
  double conjugate(double u, double y) const {
    constexpr double kRounding = 1e-12;
    if (u < corner.low * (1.0 + kRounding) || u > corner.high * (1.0 + kRounding))
      return std::numeric_limits<double>::infinity();
    const double v = u - corner.middle();
    return u * y + delta * (v * v / corner.height() - 0.25 * corner.height());
  }
  claros::LossConstants constants() const {
    return {.convex = true,
            .smoothness = 0.5 * corner.height() / delta,
            .lower_smoothness = 0.0,
            .third = {},
            .lower_bound = 0.0};
  }
};

}  // namespace linear_model
