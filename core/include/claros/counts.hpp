// SPDX-License-Identifier: BSD-3-Clause
/// @file counts.hpp  What oracles were asked, counted by the house around every component.
#pragma once

#include <claros/api.hpp>

namespace claros {

/// Oracle calls of a run. Measuring (values and gaps for the trace and the stopping rules) is not among them.
struct Counts {
  Index sfo = 0;               ///< component gradients evaluated; a difference over a batch S is 2|S|
  Index sfo_indices = 0;       ///< the same with a difference counted as |S| (the convention of Shen et al. 2019)
  Index sso = 0;               ///< component Hessians evaluated
  Index hessian_products = 0;  ///< products with the Hessian of f or of a batch, one a call
  Index lo = 0;                ///< linear minimisations
  Index po = 0;                ///< proximal steps and projections
  Index svd = 0;               ///< rank-one SVDs of spectral oracles
  Index matvec = 0;            ///< operator-vector products of spectral oracles
  bool operator==(const Counts&) const = default;
};

/// Seconds spent inside components. What a run takes beyond their sum is the house's own.
struct ComponentSeconds {
  double objective = 0.0;
  double oracle = 0.0;
};

}  // namespace claros
