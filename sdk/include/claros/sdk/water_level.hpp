// SPDX-License-Identifier: BSD-3-Clause
/// @file water_level.hpp  Projections onto simplex and l1 ball: how high water stands over a floor of given
/// depths.
#pragma once

#include <claros/sdk/entries.hpp>

#include <array>
#include <numeric>
#include <span>

namespace claros::sdk {

/// The level y with sum_j q_j max(y - d_j, 0) = volume, for depths d_j >= 0 of which one is 0, widths q_j >
/// 0, and `y` = volume / q of that one to begin with. Newton's method from above on a convex, piecewise
/// linear function: it falls monotonically, drops at least one j a pass, and ends at the exact piece
/// (Michelot, J. Optim. Theory Appl. 50, 1986). A level far below the depths' own size keeps its digits,
/// since depths are measured from the top.
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

}  // namespace claros::sdk
