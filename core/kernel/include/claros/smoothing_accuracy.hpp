// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothing_accuracy.hpp  The amount of smoothing, from the accuracy of the solution.
#pragma once

#include <claros/element/shape.hpp>

#include <string_view>

namespace claros {

/// Ability of smoothers R_mu with parameters `mu` and `eps`. If a specification gives eps, it is composed
/// with the mu that this ability returns, once the shape of the variable is known.
class SmoothingAccuracy {
 public:
  static constexpr std::string_view kAbility = "claros.smoothing-accuracy/2";
  virtual ~SmoothingAccuracy() = default;
  /// The mu for which the value without smoothing comes within eps > 0 of its minimum, for variables of the
  /// shape. Not finite if nothing is smoothed.
  virtual double mu_for(double eps, const Shape& shape) const = 0;
};

}  // namespace claros
