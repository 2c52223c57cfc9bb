// SPDX-License-Identifier: BSD-3-Clause
/// @file map_constants.hpp  The constants of a loss of a linear image.
#pragma once

#include <claros/loss.hpp>
#include <claros/objective.hpp>

#include <algorithm>

namespace claros::sdk {

/// The numbers of the map that the constants depend on.
struct MapNorms {
  double eigenvalue = 0.0;  ///< a number not below the largest eigenvalue of A'diag(w)A/n
  double component = 0.0;   ///< max w_i ||a_i||^2
  double row = 0.0;         ///< max ||a_i||
};

/// Constants of (1/n) sum_i w_i psi(<a_i, x>, y_i) - x'Sx/2 except the lower bound, `variance` the largest
/// eigenvalue of S. They are the smoothness and the Lipschitz constants of the Hessian, of f and of one
/// component, and the convexity.
inline Constants map_constants(const LossConstants& psi, const MapNorms& norms, double variance = 0.0) {
  Constants c;
  c.convex = psi.convex && variance == 0.0;
  const double lower = psi.lower_smoothness.value_or(0.0);
  if (psi.smoothness) {
    c.smoothness = std::max(*psi.smoothness * norms.eigenvalue, lower * norms.eigenvalue + variance);
    c.term_smoothness = std::max(*psi.smoothness * norms.component, lower * norms.component + variance);
    if (psi.third) {
      // |psi'''| ||a_i||^3 a component; in the sum one factor is the longest row, and the others sum up to
      // the eigenvalue.
      c.term_hessian_smoothness = *psi.third * norms.component * norms.row;
      c.hessian_smoothness = *psi.third * norms.eigenvalue * norms.row;
    }
  }
  if (psi.lower_smoothness) c.lower_smoothness = lower * norms.component + variance;
  return c;
}

}  // namespace claros::sdk
