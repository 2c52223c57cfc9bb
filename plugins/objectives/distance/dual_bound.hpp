// SPDX-License-Identifier: BSD-3-Clause
/// @file dual_bound.hpp  Lower bounds on the weighted squared distance with a penalty, by Fenchel duality.
#pragma once

#include <claros/abilities.hpp>

#include <span>

namespace distance {

/// f(x) = (1/2) sum_k w_k (x_k - y_k)^2 of a variable of that shape.
struct WeightedDistance {
  claros::Shape shape;
  std::span<const double> y, weights;
};

/// max over the candidates u of -f*(u) - h*(-u), f*(u) = sum_k u_k^2 / (2 w_k) + u_k y_k. The candidates are
/// multiples of the gradient w (x - y) at x. If h* is finite only at 0 among them, h does not see some
/// constants (total variation). Then the candidates are multiples of the gradient at x less the constant at
/// which f is least, of all entries, of each column or of each row. The result is -infinity if those fail
/// too.
double lower_bound(const WeightedDistance& f, const claros::Element& x, claros::Conjugate& h);

}  // namespace distance
