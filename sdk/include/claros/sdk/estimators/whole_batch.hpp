// SPDX-License-Identifier: BSD-3-Clause
/// @file whole_batch.hpp  The full gradient in the place of an estimate, where a theory asks for as many
/// components as there are.
#pragma once

#include <claros/algorithm.hpp>

namespace claros::sdk {

/// grad f(x), as an epoch of one point, whose full gradient the estimator may have; else made in g.
inline const Element& whole_batch(const Problem& problem, const Element& x, Element& g) {
  problem.estimator->begin_epoch(x, {.length = 1});
  if (const Element* known = problem.estimator->full_gradient()) return *known;
  g = Element(x.shape());
  problem.objective->add_gradient(x, Batch::all(), 1.0, g);
  return g;
}

}  // namespace claros::sdk
