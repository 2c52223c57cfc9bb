// SPDX-License-Identifier: BSD-3-Clause
/// @file power_shrinkage.hpp  What the p-th power of a magnitude leaves of it in a proximal step.
#pragma once

#include <algorithm>
#include <cmath>

namespace lp_ball {

/// log(1 + exp(m)).
inline double softplus(double m) { return m > 0.0 ? m + std::log1p(std::exp(-m)) : std::log1p(std::exp(m)); }

/// log s, where y = s b, 0 < s < 1, is the root of y + k y^(p-1) = b, for log_rate = log(k b^(p-2)) and 1 < p < inf. With s = 1 / (1 + exp(-m)) it reads
///     phi(m) = (p - 1) softplus(-m) - softplus(m) = log_rate,
/// and phi falls with slopes between 1 and p - 1, is convex for p >= 2 and concave for p <= 2, and has the lines -m and -(p - 1) m for asymptotes. Newton's
/// method from where the better of these meets the rate is monotone, and no power is ever formed that could overflow.
inline double log_share(double p, double log_rate) {
  const double steep = p - 1.0;
  double m = p >= 2.0 ? std::max(-log_rate, -log_rate / steep) : std::min(-log_rate, -log_rate / steep);
  for (int step = 0; step < 100; ++step) {
    const double share = 1.0 / (1.0 + std::exp(-m)), slope = share + steep * (1.0 - share);
    const double next = m + (steep * softplus(-m) - softplus(m) - log_rate) / slope;
    // From one side, until rounding turns it back.
    if (!(p >= 2.0 ? next > m : next < m)) break;
    m = next;
  }
  return -softplus(-m);
}

}  // namespace lp_ball
