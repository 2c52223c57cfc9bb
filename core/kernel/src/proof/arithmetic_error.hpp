// SPDX-License-Identifier: BSD-3-Clause
/// @file arithmetic_error.hpp  The rounding that a measurement may hide.
#pragma once

#include <claros/objective.hpp>

namespace claros {

/// At least ||x||_F, for the price of reading the parts: factors are taken as if their products had no
/// angles.
double norm_at_most(const Element& x);

/// A bound on the amount by which the tangent of f + R at x, with that value, may exceed it at the u with
/// ||u||_F <= size, size >= ||x||_F. It is the objective's own (Rounding), or else that of sums whose terms
/// are as large as the value and as 2 size ||g||_F. R may be null.
double tangent_rounding(Objective& f, Objective* R, const Element& x, double size, double value,
                        const Element& g);

/// Products lose this that are smaller than the least normal number; 0 for a value of 0, or far above.
double underflow(Index terms, double value);

/// The same of a lower bound that the dual point of x gives: minimisers are taken to be as large as x.
double dual_rounding(Objective& f, const Element& x, double value, double bound);

/// ||x - y||_F, and a bound on its error.
struct Distance {
  double length = 0.0, error = 0.0;
};

/// Uses entries if a form is dense, and the singular values of a low-rank difference. It never uses products
/// of factors: if there is only one form, their cancellation would leave sqrt(epsilon) of the points.
Distance distance(const Element& x, const Element& y);

}  // namespace claros
