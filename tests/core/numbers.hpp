// SPDX-License-Identifier: BSD-3-Clause
/// @file numbers.hpp  Numbers that are none, and how far two lists of numbers lie apart.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// ||a - b||_2.
inline double distance(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}
