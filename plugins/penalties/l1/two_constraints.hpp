// SPDX-License-Identifier: BSD-3-Clause
/// @file two_constraints.hpp  The l1 norm on {||x||_1 <= rho, ||x||_2 <= R}, the constraints of generalized
/// linear models (Qu, Li, Xu 2017, section 2).
#pragma once

#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace l1 {

/// ||soft(v, t)||_1 and ||soft(v, t)||_2.
struct Norms {
  double sum = 0.0, length = 0.0;
  static Norms of(std::span<const double> v, double t) {
    Norms n;
    for (const double value : v) {
      const double left = std::max(std::abs(value) - t, 0.0);
      n.sum += left;
      n.length += left * left;
    }
    n.length = std::sqrt(n.length);
    return n;
  }
  /// The factor that brings the vector into the ball of radius R, at most 1.
  double factor(double R) const { return length > R ? R / length : 1.0; }
};

/// x = argmin t ||x||_1 + ||x - v||^2 / 2 on {||x||_1 <= rho, ||x||_2 <= R}; x may be v. With the multipliers
/// nu of the sphere and theta - t of the other constraint, the solution is soft(v, theta) / (1 + nu). Here
/// theta is t if that satisfies both, else the smallest that does. The norm ||soft(v, theta)||_1, before and
/// after the factor, falls with theta.
inline void prox_on_both(std::span<const double> v, double t, double rho, double R, std::span<double> x) {
  const auto excess = [&](double theta) {
    const Norms n = Norms::of(v, theta);
    return n.sum * n.factor(R) - rho;
  };
  double theta = t;
  if (excess(t) > 0.0) {
    double low = t, high = claros::sdk::largest_magnitude(v);
    while (true) {  // until no number lies between
      const double middle = 0.5 * (low + high);
      if (!(low < middle && middle < high)) break;
      (excess(middle) > 0.0 ? low : high) = middle;
    }
    theta = high;
  }
  const double factor = Norms::of(v, theta).factor(R);
  claros::sdk::map_entries(v, x, [=](double value) {
    return std::copysign(factor * std::max(std::abs(value) - theta, 0.0), value);
  });
}

/// sup <s, x> - lambda ||x||_1 on {||x||_1 <= rho, ||x||_2 <= R} = min over theta >= 0 of rho theta + R
/// ||soft(s, lambda + theta)||_2, a convex function of theta.
inline double conjugate_on_both(std::span<const double> s, double lambda, double rho, double R) {
  const auto at = [&](double theta) {
    return (theta > 0.0 ? rho * theta : 0.0) + R * Norms::of(s, lambda + theta).length;
  };
  if (!(rho < claros::sdk::kInfinity)) return at(0.0);
  double low = 0.0, high = std::max(claros::sdk::largest_magnitude(s) - lambda, 0.0);
  const auto falls = [&](double theta) {  // rho < R ||.||_1 / ||.||_2
    const Norms n = Norms::of(s, lambda + theta);
    return n.length > 0.0 && rho * n.length < R * n.sum;
  };
  while (true) {
    const double middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) break;
    (falls(middle) ? low : high) = middle;
  }
  return std::min({at(low), at(high), at(0.0)});
}

}  // namespace l1
