// SPDX-License-Identifier: BSD-3-Clause
/// @file dual_point.hpp  Gaps by a dual point that the penalty knows.
///
/// For every x and every s in dom h*,
///     f(x) + h(x) - min (f + h) <= (f(x) + f*(-s) + <s, x>) + (h(x) + h*(s) - <s, x>),
/// two terms that are at least 0 (Fenchel). The usual dual point is s = -grad f(x), which the arithmetic of
/// x makes: where s is small beside x it has few digits, and may leave a domain that is a subspace. A penalty
/// whose proximal step computes s knows all its digits.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

namespace claros {

/// Ability of convex penalties h.
class CLAROS_API DualPoint {
 public:
  static constexpr std::string_view kAbility = "claros.dual-point/1";
  virtual ~DualPoint();
  /// s <- a point of dom h*, that of the last proximal step if there was one. Returns h(x) + h*(s) - <s, x>,
  /// with what its own sums lose, at least 0.
  virtual double gap_at_dual_point(const Element& x, Element& s) = 0;
};

/// Ability of convex objectives f whose conjugate is known everywhere.
class CLAROS_API ConjugateGap {
 public:
  static constexpr std::string_view kAbility = "claros.conjugate-gap/1";
  virtual ~ConjugateGap();
  /// f(x) + f*(-s) + <s, x>, at least 0; infinite where f*(-s) is.
  virtual double conjugate_gap(const Element& x, const Element& s) = 0;
};

}  // namespace claros
