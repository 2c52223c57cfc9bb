// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothed_magnitude.hpp  Huber's function, the magnitude with a smooth corner.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros::sdk {

/// h(t) = t^2/(2 mu) if |t| <= mu, else |t| - mu/2: convex, 1/mu-smooth, |t| - mu/2 <= h(t) <= |t|. The slope
/// h'(t) is t/mu cut to [-1, 1]. The curvature h''(t) is 1/mu in [-mu, mu], with the kinks, and 0 outside.
/// (Beck, Teboulle 2012; Garber, Kaplan 2019, section 4.)
struct SmoothedMagnitude {
  double mu;
  double inverse = std::min(
      1.0 / mu,
      std::numeric_limits<double>::max());  ///< a division an entry would take twice as long as reading it

  double value(double t) const {
    const double size = std::abs(t);
    return size <= mu ? 0.5 * t * (t / mu) : size - 0.5 * mu;
  }
  /// |t| - h(t)
  double correction(double t) const {
    const double size = std::abs(t);
    return size <= mu ? size * (1.0 - 0.5 * (size / mu)) : 0.5 * mu;
  }
  double slope(double t) const { return std::clamp(t * inverse, -1.0, 1.0); }
  double curvature(double t) const { return std::abs(t) > mu ? 0.0 : 1.0 / mu; }
};

}  // namespace claros::sdk
