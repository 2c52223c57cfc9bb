// SPDX-License-Identifier: BSD-3-Clause
/// @file interval.hpp  Bounds on every entry: what the box as a penalty, as a set, and non-negativity share.
#pragma once

#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace claros::sdk {

/// {x : lower <= x_j <= upper}; bounds may be infinite.
struct Interval {
  double lower = -kInfinity, upper = kInfinity;

  /// v -> the nearest number inside.
  auto nearest() const {
    return [l = lower, u = upper](double v) { return std::min(std::max(v, l), u); };
  }

  /// The farthest that an entry lies outside; NaN of NaN.
  double excess(std::span<const double> x) const {
    return largest(x, 0.0, [this](double value) { return std::max(lower - value, value - upper); });
  }
  /// An excess over the larger bound, so that a box around 0 is measured like a ball.
  double relative(double excess) const {
    return relative(excess, std::max(std::abs(lower), std::abs(upper)));
  }
  static double relative(double excess, double size) {
    return size > 0.0 || !(excess > 0.0) ? excess / std::max(size, std::numeric_limits<double>::min())
                                         : kInfinity;
  }
  /// True if every entry lies inside, up to rounding of the largest one.
  bool hold(std::span<const double> x) const { return excess(x) <= kRounding * largest_magnitude(x); }

  /// sup over the box of <s, x>.
  double support(std::span<const double> s) const {
    return sum_entries(
        s, [this](double value) { return value == 0.0 ? 0.0 : value * (value > 0.0 ? upper : lower); });
  }
};

/// Throws Error(usage) unless lower <= upper and some number lies between. `section` is that of the
/// component.
inline void require_bounds(const Interval& bounds) {
  if (bounds.lower > bounds.upper || bounds.lower == kInfinity || bounds.upper == -kInfinity)
    throw Error(ErrorKind::usage, "lower",
                "no number lies between lower = " + print_real(bounds.lower) +
                    " and upper = " + print_real(bounds.upper),
                "give a lower bound that is not above the upper one");
}

}  // namespace claros::sdk
