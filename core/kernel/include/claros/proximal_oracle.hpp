// SPDX-License-Identifier: BSD-3-Clause
/// @file proximal_oracle.hpp  Proximal steps and projections.
#pragma once

#include <claros/accuracy.hpp>
#include <claros/component.hpp>
#include <claros/element/element.hpp>

namespace claros {

/// Ability of penalties and of sets: \f$ prox_{s h}(v) = \arg\min_x h(x) + \|x - v\|^2 / (2 s) \f$, s the
/// step. For a set, h is its indicator and the step does not matter.
class CLAROS_API ProximalOracle {
 public:
  static constexpr std::string_view kAbility = "claros.proximal-oracle/3";
  static constexpr std::string_view kWords = "a proximal oracle";
  virtual ~ProximalOracle();
  virtual Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) = 0;
  /// h(x); for a set, 0 or infinity.
  virtual double value(const Element& x) = 0;
  /// The least mu >= 0 for which h + (mu/2)||.||^2 is convex. It is infinite if there is none (l0, the rank).
  /// Then a step of every length exists; if it has several solutions, `apply` always returns the same one.
  virtual double weak_convexity() const { return 0.0; }
  /// For sets: true if `apply` costs orders of magnitude more than a linear minimisation. If no algorithm is
  /// named, one with linear minimisations is chosen then.
  virtual bool is_expensive() const { return false; }
};

/// mu of the convexified form of h: h.weak_convexity(), and 0, which leaves h as it is, where that is
/// infinite.
CLAROS_API double convexifying(const ProximalOracle& h);

/// The proximal step of the convexified form of h, mu = convexifying(h):
///     argmin_x step (h(x) + (mu/2)||x||^2) + ||x - v||^2 / 2 = prox_{a step h}(a v),  a = 1 / (1 + step mu).
/// Defined for every step, since a step mu < 1. (Qu, Li, Xu 2017, Algorithm 2.) x may be v.
CLAROS_API Certificate apply_convexified(ProximalOracle& h, const Element& v, double step, Element& x,
                                         const Accuracy& accuracy);

}  // namespace claros
