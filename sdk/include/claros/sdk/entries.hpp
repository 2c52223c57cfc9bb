// SPDX-License-Identifier: BSD-3-Clause
/// @file entries.hpp  Loops over arrays that compilers can vectorise. NaN goes through all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace claros::sdk {

/// Relative slack under which a constraint counts as met: beyond what sums of a million numbers lose.
inline constexpr double kRounding = 1e-10;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// x_j = f(v_j); x and v are the same array or do not overlap.
template <class F>
void map_entries(std::span<const double> v, std::span<double> x, F f) {
  const double* from = v.data();
  double* to = x.data();
  const std::size_t n = x.size();
  // The compiler's own test for overlap would send the case x = v to a scalar loop.
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) to[j] = f(from[j]);
}

namespace detail {
inline constexpr std::size_t kLanes = 8;
}

/// sum_j f(j), in eight running sums: the order is fixed, whatever the processor.
template <class F>
double sum_indices(std::size_t n, F f) {
  constexpr std::size_t kLanes = detail::kLanes;
  std::array<double, kLanes> sums{};
  std::size_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += f(j + lane);
  double total = 0.0;
  for (; j < n; ++j) total += f(j);
  for (const double sum : sums) total += sum;
  return total;
}

/// sum_j f(x_j).
template <class F>
double sum_entries(std::span<const double> x, F f) {
  const double* values = x.data();
  return sum_indices(x.size(), [=](std::size_t j) { return f(values[j]); });
}

/// max_j f(x_j) and `floor`; NaN when one is.
template <class F>
double largest(std::span<const double> x, double floor, F f) {
  constexpr std::size_t kLanes = detail::kLanes;
  std::array<double, kLanes> tops;
  tops.fill(floor);
  // Not std::max: a NaN is taken, and stays.
  const auto keep = [](double& top, double candidate) {
    top = candidate <= top || top != top ? top : candidate;
  };
  std::size_t j = 0;
  for (; j + kLanes <= x.size(); j += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) keep(tops[lane], f(x[j + lane]));
  for (; j < x.size(); ++j) keep(tops[0], f(x[j]));
  for (const double top : tops) keep(tops[0], top);
  return tops[0];
}

inline double magnitude(double value) noexcept { return std::abs(value); }
inline double largest_magnitude(std::span<const double> x) { return largest(x, 0.0, magnitude); }
inline double sum_of_magnitudes(std::span<const double> x) { return sum_entries(x, magnitude); }
inline double dot(std::span<const double> x, std::span<const double> y) {
  return sum_indices(x.size(), [a = x.data(), b = y.data()](std::size_t j) { return a[j] * b[j]; });
}
inline bool all_finite(std::span<const double> x) {
  return sum_entries(x, [](double value) { return value - value; }) == 0.0;  // NaN of NaN and of infinity
}

/// ||x||_2, also if squares over- or underflow.
inline double euclidean_norm(std::span<const double> x) {
  constexpr double kSmall = 1e-280, kLarge = 1e280;
  const double square = sum_entries(x, [](double value) { return value * value; });
  if (square > kSmall && square < kLarge) return std::sqrt(square);
  const double top = largest_magnitude(x);
  if (top == 0.0 || !std::isfinite(top)) return top;
  return top * std::sqrt(sum_entries(x, [top](double value) { return (value / top) * (value / top); }));
}

/// sign(v) max(|v| - t, 0) in three operations.
inline double soft_threshold(double v, double t) noexcept { return v - std::min(std::max(v, -t), t); }

}  // namespace claros::sdk
