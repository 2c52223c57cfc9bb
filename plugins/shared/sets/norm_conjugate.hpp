// SPDX-License-Identifier: BSD-3-Clause
/// @file norm_conjugate.hpp  The conjugate of a norm times lambda, with or without a bound on the norm.
#pragma once

#include <claros/sdk/entries.hpp>

#include <algorithm>

namespace claros::sdk {

/// h*(s) of h = lambda psi on {psi <= rho}, psi a norm and `dual` its dual norm of s. The conjugate is rho
/// max(dual - lambda, 0), or the indicator of dual <= lambda (up to rounding) if rho is infinite.
inline double norm_conjugate(double dual, double lambda, double rho) {
  if (std::isnan(dual)) return dual;
  if (rho < kInfinity) return rho * std::max(dual - lambda, 0.0);
  return dual <= lambda * (1.0 + kRounding) ? 0.0 : kInfinity;
}

/// The largest a in [0, 1] with h*(a s) finite.
inline double norm_into_domain(double dual, double lambda, double rho) {
  if (std::isnan(dual)) return dual;
  return rho < kInfinity || dual <= lambda ? 1.0 : lambda / dual;
}

}  // namespace claros::sdk
