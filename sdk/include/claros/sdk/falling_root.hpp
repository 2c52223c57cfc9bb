// SPDX-License-Identifier: BSD-3-Clause
/// @file falling_root.hpp  The root of a falling function of t > 0, by a method that cannot fail.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace claros::sdk {

/// The t > 0, to the last bits, with f(t) <= 0 and f > 0 just below, for f that falls from f(0) > 0 to some f
/// <= 0; where f is flat and 0, any such t. f may be infinite or NaN where it is positive, and rise by
/// rounding. First steps of growing factors from `guess` > 0 lead to neighbours with a root in between, then
/// halvings of the exponent to finite values, then TOMS 748 (Alefeld, Potra, Shi 1995), which at worst halves
/// the interval every third evaluation. About 15 evaluations as a rule. A root below 1e-300 is taken for
/// 1e-300; where no f <= 0 is found, the answer is the largest double.
template <class F>
double falling_root(const F& f, double guess) {
  constexpr double kFirst = 1e-300, kLast = std::numeric_limits<double>::max();
  double low = 0.0, high = guess > kFirst && guess < kLast ? guess : 1.0;
  double f_low = f(high), f_high = f_low;
  const bool grows = !(f_high <= 0.0);
  for (double factor = 4.0; grows && !(f_high <= 0.0); factor *= factor) {
    if (high == kLast) return kLast;
    low = high, f_low = f_high;
    high = std::min(high * factor, kLast);
    f_high = f(high);
  }
  for (double factor = 4.0; !grows && f_low <= 0.0; factor *= factor) {
    high = low == 0.0 ? high : low, f_high = f_low;
    if (high <= kFirst) return high;
    low = std::max(high / factor, kFirst);
    f_low = f(low);
  }
  // A chord needs finite ends, and an interval within few powers of two.
  while (!std::isfinite(f_low) || high > 16.0 * low) {
    const double t = std::sqrt(low) * std::sqrt(high);
    if (!(t > low && t < high)) return high;
    const double value = f(t);
    (value <= 0.0 ? high : low) = t;
    (value <= 0.0 ? f_high : f_low) = value;
  }
  if (f_high == 0.0) return high;
  std::uintmax_t budget = 200;
  const boost::math::tools::eps_tolerance<double> last_bits(std::numeric_limits<double>::digits - 1);
  // Values of order 1, whose products cannot overflow.
  const double unit = std::max(f_low, -f_high);
  return boost::math::tools::toms748_solve([&](double t) { return f(t) / unit; }, low, high, f_low / unit,
                                           f_high / unit, last_bits, budget)
      .second;
}

}  // namespace claros::sdk
