// SPDX-License-Identifier: BSD-3-Clause
/// @file extended_exp.hpp  The exponential function of losses with a logarithmic link, without overflow.
#pragma once

#include <algorithm>
#include <cmath>

namespace claros::sdk {

/// exp(t) for t <= 300 and its tangent at 300 beyond: convex, finite, with a continuous slope. Infinite
/// slopes of both signs would add up to NaN, and a tangent that is not that of the values would be no lower
/// bound.
struct ExtendedExp {
  static constexpr double kFarthest = 300.0;
  static double slope(double t) { return std::exp(std::min(t, kFarthest)); }
  static double value(double t) { return slope(t) * (1.0 + std::max(t - kFarthest, 0.0)); }
};

}  // namespace claros::sdk
