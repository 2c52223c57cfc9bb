// SPDX-License-Identifier: BSD-3-Clause
/// @file arithmetic_error.hpp  What rounding may hide in a measurement.
#pragma once

#include <claros/objective.hpp>

namespace claros {

/// At least ||x||_F, for the price of reading the parts: factors are taken as if their products had no
/// angles.
double norm_at_most(const Element& x);

/// A bound on what the tangent of f + R at x, of that value, may exceed it by at the u with ||u||_F <= size,
/// size >= ||x||_F: the objective's own (Rounding), else that of sums whose terms are as large as the value
/// and as 2 size ||g||_F. R may be null.
double tangent_rounding(Objective& f, Objective* R, const Element& x, double size, double value,
                        const Element& g);

/// A bound on the error of the arithmetic in f(x) + R(x), which is `value`; g is the computed gradient.
inline double value_rounding(Objective& f, Objective* R, const Element& x, double value, const Element& g) {
  return tangent_rounding(f, R, x, norm_at_most(x), value, g);
}

/// The same of a lower bound that the dual point of x gives: minimisers are taken to be as large as x.
double dual_rounding(Objective& f, const Element& x, double value, double bound);

/// ||x - y||_F, and a bound on its error.
struct Distance {
  double length = 0.0, error = 0.0;
};

/// From entries where a form is dense, from the singular values of a low-rank difference: never from products
/// of factors, whose cancellation would leave sqrt(epsilon) of the points where there is only one form.
Distance distance(const Element& x, const Element& y);

}  // namespace claros
