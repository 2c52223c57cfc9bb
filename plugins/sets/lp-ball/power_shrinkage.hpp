// SPDX-License-Identifier: BSD-3-Clause
/// @file power_shrinkage.hpp  What the p-th power of a magnitude leaves of it in a proximal step.
#pragma once

#include <algorithm>
#include <cmath>

namespace lp_ball {

/// The root y = s b, 0 < s < 1, of y + k y^(p-1) = b, as log s, for log_rate = log(k b^(p-2)) and 1 < p <
/// inf. With s = 1 / (1 + exp(-m)) and softplus(m) = log(1 + exp(m)) it reads
///     phi(m) = (p - 1) softplus(-m) - softplus(m) = log_rate. The function phi falls with slopes between 1
///     and p - 1, is convex for p >= 2 and concave for p <= 2, and has the lines -m and -(p - 1) m for
///     asymptotes. Newton's method is monotone from its second point on, and forms no power
/// that could overflow. It begins at `m`, the root of a rate near by. If `m` is NaN, it begins at the point
/// of the better asymptote that meets the rate. `m` is then the root.
inline double log_share(double p, double log_rate, double& m) {
  const double steep = p - 1.0;
  if (std::isnan(m))
    m = p >= 2.0 ? std::max(-log_rate, -log_rate / steep) : std::min(-log_rate, -log_rate / steep);
  for (int step = 0;; ++step) {
    const double small = std::exp(-std::abs(m)), rest = std::log1p(small), log_s = std::min(m, 0.0) - rest;
    const double share = (m > 0.0 ? 1.0 : small) / (1.0 + small), slope = share + steep * (1.0 - share);
    const double next = m + (-steep * log_s - (std::max(m, 0.0) + rest) - log_rate) / slope;
    // From one side, until rounding turns it back.
    if (step == 100 || (step > 0 && !(p >= 2.0 ? next > m : next < m))) return log_s;
    m = next;
  }
}

}  // namespace lp_ball
