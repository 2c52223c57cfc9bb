// SPDX-License-Identifier: BSD-3-Clause
/// @file squared_distance.hpp  Base of objectives that are the squared distance from matrices.
#pragma once

#include <claros/objective.hpp>

namespace claros::sdk {

/// f(X) = E 0.5 ||X - M||_F^2, or the mean over matrices M_i, less a constant: f_i(X) = 0.5 ||X||_F^2 - <M_i,
/// X> + c. So grad f_i(X) = X - M_i, and differences of component gradients are X - Y, without noise. The
/// Hessian of every batch is the identity, and L = mu = 1. A derived class states its M_i: shape, components,
/// value (none is below 0) and add_gradient.
class SquaredDistance : public Objective, public Curvature {
 public:
  void add_gradient_difference(const Element& x, const Element& y, const Batch&, double a,
                               Element& g) override {
    g.add(a, x);
    g.add(-a, y);
  }
  void add_hessian_product(const Element&, const Element& d, const Batch&, double a, Element& g) override {
    g.add(a, d);
  }
  Constants constants() const override {
    Constants c;
    c.convex = true;
    c.smoothness = c.term_smoothness = c.strong_convexity = 1.0;
    c.lower_smoothness = c.hessian_smoothness = c.term_hessian_smoothness = 0.0;
    c.lower_bound = 0.0;
    return c;
  }
  void* ability(std::string_view id) noexcept override { return offer<Curvature>(this, id); }
};

}  // namespace claros::sdk
