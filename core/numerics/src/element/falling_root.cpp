// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/falling_root.hpp>

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace claros {

double falling_root(const std::function<double(double)>& f, double guess) {
  constexpr double kFirst = 1e-300, kLast = std::numeric_limits<double>::max();
  double low = 0.0, high = guess > kFirst && guess < kLast ? guess : 1.0;
  double f_low = f(high), f_high = f_low;
  const bool grows = !(f_high <= 0.0);
  for (double factor = 4.0; grows && !(f_high <= 0.0); factor *= factor) {
    if (high == kLast) return kLast;
    low = high;
    f_low = f_high;
    high = std::min(high * factor, kLast);
    f_high = f(high);
  }
  for (double factor = 4.0; !grows && f_low <= 0.0; factor *= factor) {
    high = low == 0.0 ? high : low;
    f_high = f_low;
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

}  // namespace claros
