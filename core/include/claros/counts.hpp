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
  Index hvp = 0;               ///< component Hessians multiplied by a vector: |B| a product, kept Hessian or not
  Index lo = 0;                ///< linear minimisations
  Index po = 0;                ///< proximal steps and projections
  Index svd = 0;               ///< rank-one SVDs of spectral oracles
  Index matvec = 0;            ///< operator-vector products of spectral oracles
  bool operator==(const Counts&) const = default;
};

/// Passes over the data: component gradients and products with component Hessians, over n. Either reads its component
/// once, and a product with a Hessian whose second derivatives are kept does too. 0 where there is no n.
constexpr double passes(const Counts& counts, Index components) {
  return components > 0 ? static_cast<double>(counts.sfo + counts.hvp) / static_cast<double>(components) : 0.0;
}

/// Seconds spent inside components. What a run takes beyond their sum is the algorithm's and the house's own.
struct ComponentSeconds {
  double objective = 0.0;
  double estimator = 0.0;  ///< without what it asks of the objective
  double oracle = 0.0;
};

}  // namespace claros
