// SPDX-License-Identifier: BSD-3-Clause
/// @file chain.hpp  The hard function of one direction after the other.
#pragma once

#include <cmath>
#include <numbers>
#include <span>

/// \f$ H_T(y) = -\Psi(1) \Phi(y_1) + \sum_{i=2}^T [\Psi(-y_{i-1}) \Phi(-y_i) - \Psi(y_{i-1}) \Phi(y_i)] \f$
/// (Carmon, Duchi, Hinder, Sidford, Lower bounds for finding stationary points I, 2017, section 3.1). With
/// y_0 = 1 every term is the same link. If |y_{i-1}| <= 1/2, link i is 0 with all its derivatives: y_i is not
/// seen before y_{i-1} has moved.
namespace chain {

/// Beyond this a coordinate opens the next link.
inline constexpr double kOpens = 0.5;

/// In [0, e), its slope in [0, sqrt(54/e)], its curvature at most 32.5.
inline double psi(double y) {
  if (y <= kOpens) return 0.0;
  const double z = 2.0 * y - 1.0;
  return std::exp(1.0 - 1.0 / (z * z));
}
inline double psi_slope(double y) {
  if (y <= kOpens) return 0.0;
  const double z = 2.0 * y - 1.0, value = psi(y);
  return value > 0.0 ? 4.0 * value / (z * z * z) : 0.0;
}
/// In [0, sqrt(2 pi e)], its slope in (0, sqrt(e)], its curvature at most 1.
inline double phi(double y) {
  return std::sqrt(0.5 * std::numbers::pi * std::numbers::e) * std::erfc(-y / std::numbers::sqrt2);
}
inline double phi_slope(double y) { return std::exp(0.5 - 0.5 * y * y); }

inline double value(std::span<const double> y) {
  double sum = 0.0, before = 1.0;
  for (const double at : y) {
    sum += psi(-before) * phi(-at) - psi(before) * phi(at);
    before = at;
  }
  return sum;
}

/// g <- grad H_T(y).
inline void gradient(std::span<const double> y, std::span<double> g) {
  double before = 1.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double at = y[i];
    g[i] = -(psi(-before) + psi(before)) * phi_slope(at);
    if (i > 0) g[i - 1] -= psi_slope(-before) * phi(-at) + psi_slope(before) * phi(at);
    before = at;
  }
}

/// The Lipschitz constant of grad H_T. The Hessian is tridiagonal, at most e + 32.5 sqrt(2 pi e) on its
/// diagonal and sqrt(54/e) sqrt(e) beside it, since only one of Psi(y) and Psi(-y) is not 0. (The paper:
/// 3^15.)
inline constexpr double kSmoothness = 152.0;

/// A number that H_T is not below: its first link is above -sqrt(2 pi e), each other above -e sqrt(2 pi e).
inline double lowest(double T) {
  const double top = std::sqrt(2.0 * std::numbers::pi * std::numbers::e);
  return -top * (1.0 + std::numbers::e * (T - 1.0));
}

}  // namespace chain
