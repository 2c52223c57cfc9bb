// SPDX-License-Identifier: BSD-3-Clause
/// @file rounding.hpp  The error of an objective's arithmetic: a part of every gap that is measured.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

#include <cmath>
#include <limits>

namespace claros {

/// A bound, which holds with high probability, on the relative error of a sum of `terms` products whose
/// roundings are independent. It is a multiple of sqrt(terms) units; the factor is small because every loop
/// keeps several running sums side by side. (Higham, Mary: A new approach to probabilistic rounding error
/// analysis, SIAM J. Sci. Comput. 41, 2019.)
inline double sum_rounding(Index terms) {
  constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  return kUnit * (8.0 + 0.125 * std::sqrt(static_cast<double>(terms)));
}

/// Ability of objectives that know more of their arithmetic than their values show. Without it, the
/// magnitudes of value and gradient stand for those that cancel in them.
class CLAROS_API Rounding {
 public:
  static constexpr std::string_view kAbility = "claros.rounding/1";
  virtual ~Rounding();
  /// A bound on the error of value(x) and, for convex f, on the error of the tangent there as a lower bound.
  /// With the computed gradient g, value(x) + <g, u - x> exceeds f(u) by at most the bound. This holds for
  /// every u with ||u||_F <= size, and needs size >= ||x||_F.
  virtual double rounding(const Element& x, double size) = 0;
};

}  // namespace claros
