// SPDX-License-Identifier: BSD-3-Clause
/// @file concave_entries.hpp  MCP and SCAD of one entry or of the norm of one group.
#pragma once

#include <claros/sdk/entrywise_penalty.hpp>

#include <algorithm>
#include <cmath>

namespace claros::sdk {

/// MCP_{lambda,b}(x) = lambda * integral over [0, |x|] of max(1 - z / (lambda b), 0) dz (Zhang 2010). With mu
/// = 1/b, the slope of h + (mu/2)u^2 at u > 0 is max(lambda, mu u). So u + tau slope(u) = w, the optimality
/// condition, is a max of two lines, and its solution is the min of their roots.
struct Mcp {
  double lambda, b;

  double value(double x) const {
    const double u = std::min(std::abs(x), lambda * b);
    return u * (lambda - 0.5 * u / b);
  }
  double psi(double x) const { return (value(x) + 0.5 * x * x / b) / lambda; }
  auto prox(double step) const {
    return [low = step * lambda, stretch = 1.0 / (1.0 - step / b)](double v) {
      const double w = std::abs(v);
      return std::copysign(std::max(std::min((w - low) * stretch, w), 0.0), v);
    };
  }
  auto pieces(double step) const {
    const double stretch = 1.0 / (1.0 - step / b);
    return PiecewiseAffine::odd(PiecewiseAffine()
                                    .piece(step * lambda, 0.0, 0.0)
                                    .piece(b * lambda, stretch, -step * lambda * stretch)
                                    .piece(kInfinity, 1.0, 0.0));
  }
  auto prox_psi(double t) const {
    return [t, shrink = 1.0 / (1.0 + t / lambda / b)](double v) {
      const double w = std::abs(v);
      return std::copysign(std::max(std::min(w - t, w * shrink), 0.0), v);
    };
  }
  double weak_convexity() const { return 1.0 / b; }
  double slope_at_zero() const { return 1.0; }
  Mcp weighted(double w) const { return {w * lambda, b}; }
};

/// SCAD_{lambda,zeta}(x): its slope is lambda up to lambda, then falls to 0 at zeta lambda (Fan, Li 2001).
/// With mu = 1/(zeta - 1), the slope of h + (mu/2)u^2 at u > 0 is max(min(lambda + mu u, mu zeta lambda), mu
/// u). So u + tau slope(u) = w, the optimality condition, is a max of a min of three lines. Its solution is
/// the min of the max of their three roots.
struct Scad {
  double lambda, zeta;

  double value(double x) const {
    const double u = std::abs(x);
    if (u <= lambda) return lambda * u;
    if (u > zeta * lambda) return 0.5 * (zeta + 1.0) * lambda * lambda;
    return lambda * u - 0.5 * weak_convexity() * (u - lambda) * (u - lambda);
  }
  double psi(double x) const { return (value(x) + 0.5 * weak_convexity() * x * x) / lambda; }
  auto prox(double step) const {
    const double smu = step * weak_convexity();
    return [low = step * lambda, high = smu * zeta * lambda, stretch = 1.0 / (1.0 - smu)](double v) {
      const double w = std::abs(v);
      return std::copysign(std::max(std::min(std::max(w - low, (w - high) * stretch), w), 0.0), v);
    };
  }
  auto pieces(double step) const {
    const double smu = step * weak_convexity(), stretch = 1.0 / (1.0 - smu);
    return PiecewiseAffine::odd(PiecewiseAffine()
                                    .piece(step * lambda, 0.0, 0.0)
                                    .piece((1.0 + step) * lambda, 1.0, -step * lambda)
                                    .piece(zeta * lambda, stretch, -smu * zeta * lambda * stretch)
                                    .piece(kInfinity, 1.0, 0.0));
  }
  auto prox_psi(double t) const {
    const double mu = weak_convexity();
    return [t, high = t * mu * zeta, shrink = 1.0 / (1.0 + t / lambda * mu)](double v) {
      const double w = std::abs(v);
      return std::copysign(std::max(std::min(std::max((w - t) * shrink, w - high), w * shrink), 0.0), v);
    };
  }
  double weak_convexity() const { return 1.0 / (zeta - 1.0); }
  double slope_at_zero() const { return 1.0; }
  Scad weighted(double w) const { return {w * lambda, zeta}; }
};

}  // namespace claros::sdk
