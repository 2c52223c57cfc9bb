// SPDX-License-Identifier: BSD-3-Clause
/// @file falling_root.hpp  The root of a falling function of t > 0, by a method that cannot fail.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace claros::sdk {

namespace detail {

/// The number halfway in the ordering of doubles: at most 64 halvings lead from [0, 1e308] to neighbours.
inline double middle(double low, double high) noexcept {
  const auto a = std::bit_cast<std::uint64_t>(low), b = std::bit_cast<std::uint64_t>(high);
  return std::bit_cast<double>(a + (b - a) / 2);
}

/// A bracket of a root: f(low) > 0 >= f(high), with the values that the next chord goes through.
struct Bracket {
  double low = 0.0, f_low = 0.0, high = 0.0, f_high = 0.0;

  bool closed() const noexcept {
    return high - low <= 2 * std::numeric_limits<double>::epsilon() * high || middle(low, high) == low;
  }
  double chord() const noexcept { return low + (high - low) * (f_low / (f_low - f_high)); }
  /// A chord that keeps hitting the same side has the other side's value halved (Dowell and Jarratt 1971).
  void place(double t, double f, int& side) {
    if (f <= 0.0) {
      high = t, f_high = f;
      if (side < 0) f_low *= 0.5;
      side = -1;
    } else {
      low = t, f_low = f;
      if (side > 0) f_high *= 0.5;
      side = 1;
    }
  }
};

}  // namespace detail

/// The t > 0, to the last bits, with f(t) <= 0 and f > 0 just below, for f that falls from f(0) > 0 to some f
/// <= 0. f may be infinite or NaN where it is positive, and rise by rounding. Chords (regula falsi, Illinois
/// variant) with a halving of the doubles in between whenever two chords did not halve their number: at most
/// some 200 evaluations, about ten as a rule. `guess` > 0 sets where the search begins.
template <class F>
double falling_root(const F& f, double guess) {
  constexpr double kLast = 1e300, kGrowth = 16.0;
  detail::Bracket bracket{0.0, f(0.0), guess > 0.0 && guess < kLast ? guess : 1.0, 0.0};
  while (!((bracket.f_high = f(bracket.high)) <= 0.0)) {
    if (bracket.high >= kLast) return bracket.high;
    bracket.low = bracket.high, bracket.f_low = bracket.f_high;
    bracket.high *= kGrowth;
  }
  const auto width = [&] {
    return std::bit_cast<std::uint64_t>(bracket.high) - std::bit_cast<std::uint64_t>(bracket.low);
  };
  int side = 0;
  for (std::uint64_t before = width(); !bracket.closed() && bracket.f_high < 0.0; before = width()) {
    for (int chords = 0; chords < 2 && !bracket.closed(); ++chords) {
      const double t = bracket.chord();
      if (!(t > bracket.low && t < bracket.high)) break;
      bracket.place(t, f(t), side);
    }
    if (width() <= before / 2 || bracket.closed()) continue;
    const double t = detail::middle(bracket.low, bracket.high);
    side = 0;
    bracket.place(t, f(t), side);
  }
  return bracket.high;
}

}  // namespace claros::sdk
