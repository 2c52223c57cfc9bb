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
/// multiples of the gradient w (x - y) at x; where h* is finite at none of them but 0, h does not see some
/// constants (total variation), and they are multiples of the gradient at x less the constant, of all
/// entries, of each column or of each row, at which f is least. -infinity where those fail too.
double lower_bound(const WeightedDistance& f, const claros::Element& x, claros::Conjugate& h);

}  // namespace distance
