// SPDX-License-Identifier: BSD-3-Clause
/// @file water_level.hpp Projections onto simplex and l1 ball: the level of water over a floor of given
/// depths.
#pragma once

#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace claros::sdk {

/// The level y with sum_j q_j max(y - d_j, 0) = volume, for depths d_j >= 0 and widths q_j > 0. One d_j is 0,
/// and at the start `y` = volume / q of that one. Newton's method from above, on a convex, piecewise linear
/// function, falls monotonically. It drops at least one j a pass, and ends at the exact piece (Michelot, J.
/// Optim. Theory Appl. 50, 1986). A level far below the size of the depths keeps its digits, since depths are
/// measured from the top.
template <class Depth, class Width>
double water_level(std::size_t n, Depth depth, Width width, double volume, double y) {
  constexpr std::size_t kLanes = detail::kLanes;
  while (true) {
    // One pass for both sums, in lanes for the vectoriser.
    std::array<double, kLanes> areas{}, waters{};
    const auto add = [&](std::size_t j, double& area, double& water) {
      const double height = y - depth(j), q = width(j);
      area += height > 0.0 ? q : 0.0;
      water += height > 0.0 ? q * height : 0.0;
    };
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) add(j + lane, areas[lane], waters[lane]);
    for (; j < n; ++j) add(j, areas[0], waters[0]);
    const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
    const double water = std::accumulate(waters.begin(), waters.end(), 0.0);
    const double next = y - (water - volume) / area;
    if (!(next < y && next > 0.0)) return y;
    y = next;
  }
}

/// x = argmin ||x - v|| over x >= 0 with sum x = radius; x may be v. All v finite.
inline void project_to_simplex(std::span<const double> v, double radius, std::span<double> x) {
  const double top = largest(v, -kInfinity, [](double value) { return value; });
  const double y = water_level(
      v.size(), [=, a = v.data()](std::size_t j) { return top - a[j]; }, [](std::size_t) { return 1.0; },
      radius, radius);
  map_entries(v, x, [=](double value) { return std::max(y - (top - value), 0.0); });
}

/// x = argmin ||x - v|| over ||x||_1 <= radius; x may be v. All v finite.
inline void project_to_l1_ball(std::span<const double> v, double radius, std::span<double> x) {
  if (sum_of_magnitudes(v) <= radius) return map_entries(v, x, [](double value) { return value; });
  const double top = largest_magnitude(v);
  const double y = water_level(
      v.size(), [=, a = v.data()](std::size_t j) { return top - std::abs(a[j]); },
      [](std::size_t) { return 1.0; }, radius, radius);
  map_entries(v, x,
              [=](double value) { return std::copysign(std::max(y - (top - std::abs(value)), 0.0), value); });
}

/// The level c >= 0 with sum_j max(|v_j| - c, 0) = excess; 0 when ||v||_1 <= excess. The proximal step of
/// excess * ||.||_inf cuts entries at c.
inline double clip_level(std::span<const double> v, double excess) {
  if (sum_of_magnitudes(v) <= excess) return 0.0;
  const double top = largest_magnitude(v);
  const double y = water_level(
      v.size(), [=, a = v.data()](std::size_t j) { return top - std::abs(a[j]); },
      [](std::size_t) { return 1.0; }, excess, excess);
  return std::max(top - y, 0.0);
}

/// The common level by which entries sink, cut to [0, cap], so that they have a given sum. It is measured
/// from one entry, the k-th largest, so that large entries that are alike lose no digits.
struct CappedLevel {
  double base, level, cap;
  double operator()(double value) const { return std::clamp((value - base) - level, 0.0, cap); }
};

/// The level with sum_j clip(v_j - level, 0, cap) = k cap - spare, 1 <= k <= number of entries, spare in [0,
/// cap). It lies between the k-th largest entry less cap and that entry. Newton's method on a falling,
/// piecewise linear function, with halvings if it would leave the bracket, ends at the exact piece. The array
/// `work` is scratch. (Wang, Lu: Projection onto the capped simplex, arXiv:1503.01002, 2015.)
inline CappedLevel capped_level(std::span<const double> v, std::size_t k, double cap,
                                std::vector<double>& work, double spare = 0.0) {
  work.assign(v.begin(), v.end());
  const auto kth = work.begin() + static_cast<std::ptrdiff_t>(k) - 1;
  std::nth_element(work.begin(), kth, work.end(), std::greater<>());
  CappedLevel found{*kth, 0.0, cap};
  double low = -cap, high = 0.0;
  while (true) {
    // The excess counts the positive parts of the entries below the cap; the entries at the cap are counted
    // in `full`.
    double excess = 0.0, slope = 0.0, full = 0.0;
    for (const double value : v) {
      const double left = (value - found.base) - found.level;
      if (left >= cap)
        full += 1.0;
      else if (left > 0.0) {
        excess += left;
        slope += 1.0;
      }
    }
    excess += (full - static_cast<double>(k)) * cap + spare;
    if (excess == 0.0) return found;
    (excess > 0.0 ? low : high) = found.level;
    const double newton = found.level + excess / slope,
                 next = newton > low && newton < high ? newton : low + 0.5 * (high - low);
    if (!(next > low && next < high) || std::abs(next - found.level) <= 0x1p-54 * cap) return found;
    found.level = next;
  }
}

/// x = argmin ||x - v|| over 0 <= x <= cap with sum x = k cap - spare, spare in [0, cap). k is at most the
/// number of entries. x may be v. All v are finite.
inline void project_to_capped_simplex(std::span<const double> v, std::size_t k, double cap,
                                      std::span<double> x, std::vector<double>& work, double spare = 0.0) {
  if (k == 0 || (k >= v.size() && spare == 0.0)) return std::fill(x.begin(), x.end(), k == 0 ? 0.0 : cap);
  const CappedLevel left = capped_level(v, k, cap, work, spare);
  map_entries(v, x, [=](double value) { return left(value); });
}

}  // namespace claros::sdk
