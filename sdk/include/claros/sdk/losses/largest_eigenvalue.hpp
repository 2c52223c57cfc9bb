// SPDX-License-Identifier: BSD-3-Clause
/// @file largest_eigenvalue.hpp  How smooth a loss of a linear image is.
#pragma once

#include <claros/map/design_map.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <span>

namespace claros::sdk {

/// A number above the largest eigenvalue of A' diag(w) A, for a map that fuses; `trace` is the sum of all.
/// Lanczos from a random start gives a Ritz value and a residual. The bound is the square of their sum, times
/// 1 + 2e-3 (LanczosSolver::confirm says how likely that is too small). If the trace is smaller, it is the
/// bound, which is then sure. No weights mean 1.
inline double largest_eigenvalue(const MapPtr& map, std::span<const double> weights, double trace) {
  constexpr double kTolerance = 2e-2, kSafety = 1.0 + 2e-3;
  constexpr Index kMatvecs = 600;
  RandomStream stream(0, Purpose::confirmation);
  const LeadingPair pair = LanczosSolver().confirm(
      DesignOperator(map, weights), {.tolerance = kTolerance, .max_matvecs = kMatvecs}, stream);
  const double upper = pair.upper_estimate();
  return std::min(trace, pair.converged ? kSafety * upper * upper : trace);
}

}  // namespace claros::sdk
