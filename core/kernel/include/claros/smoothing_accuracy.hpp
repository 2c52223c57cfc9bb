// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothing_accuracy.hpp  How much is smoothed, from the accuracy of the solution.
#pragma once

#include <claros/element/shape.hpp>

#include <string_view>

namespace claros {

/// Of smoothers R_mu with parameters `mu` and `eps`: a specification that gives eps is composed with the mu
/// that this ability returns for it, once the shape of the variable is known.
class SmoothingAccuracy {
 public:
  static constexpr std::string_view kAbility = "claros.smoothing-accuracy/2";
  virtual ~SmoothingAccuracy() = default;
  /// The mu for which the value without smoothing comes to within eps > 0 of its minimum, on variables of the
  /// shape; not finite where nothing is smoothed.
  virtual double mu_for(double eps, const Shape& shape) const = 0;
};

}  // namespace claros
