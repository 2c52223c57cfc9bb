// SPDX-License-Identifier: BSD-3-Clause
/// @file convex_penalty.hpp  For algorithms that converge with convex penalties alone.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <string>

namespace claros::sdk {

/// Throws Error(usage) if the penalty is not convex: `why` the algorithm needs it, and what else to take.
inline void require_convex_penalty(const Problem& problem, const std::string& why, const std::string& other) {
  const double mu = problem.penalty ? problem.penalty->weak_convexity() : 0.0;
  if (mu == 0.0) return;
  throw Error(ErrorKind::usage, "",
              "expected a convex penalty, found one of weak convexity " + print_real(mu) + ": " + why,
              "take a penalty such as l1, or algorithm.use = " + other);
}

}  // namespace claros::sdk
