// SPDX-License-Identifier: BSD-3-Clause
/// @file domain.hpp  Objectives that are finite on a part of the space alone.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>
#include <claros/objective.hpp>

namespace claros {

/// Ability of objectives and smoothers with a domain, dom f = {x : f(x) < infinity}, which is open or
/// contains its boundary. Examples are -log det X, sums of x_j log x_j, and Poisson likelihoods with identity
/// link. Outside dom f `value` is +infinity, never NaN and never another number, and there is no gradient:
/// `add_gradient` throws Error(numerical) or adds anything, and no caller asks for it. The domain of a convex
/// f is convex. For other f every segment from `inner_point` to a point of dom f lies in dom f.
///
/// Line searches shorten a step that ends outside. If no other start is given, the run loop starts at
/// `inner_point`. It measures no gap and no residual outside, and ends a run that stays there as diverged.
class CLAROS_API Domain {
 public:
  static constexpr std::string_view kAbility = "claros.domain/1";
  static constexpr std::string_view kWords = "a domain of its own";
  virtual ~Domain();
  /// A point of that shape in the interior of dom f, the same in every call. Throws Error(usage) when the
  /// shape does not fit.
  virtual Element inner_point(const Shape& shape) = 0;
};

/// True if f offers Domain and x lies outside. Costs a value of f if f offers Domain, and nothing otherwise.
CLAROS_API bool leaves_domain(Objective& f, const Element& x);

/// The largest of a, a/2, a/4, ... with x + a d in dom f. It is a itself if f has no Domain, and 0 if 100
/// halvings do not lead there.
CLAROS_API double step_in_domain(Objective& f, const Element& x, const Element& d, double a);

}  // namespace claros
