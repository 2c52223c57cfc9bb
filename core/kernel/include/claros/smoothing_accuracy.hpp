// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothing_accuracy.hpp  How much is smoothed, found from how good the answer is to be.
#pragma once

#include <claros/element/shape.hpp>

#include <string_view>

namespace claros {

/// Of smoothers R_mu with parameters `mu` and `eps`. Who composes a specification that gives eps puts mu = 7
/// eps/(92 gamma) in its place, |R_mu(x) - R(x)| <= gamma mu being the bound of this smoother on variables of
/// the shape: the error of a stochastic conditional gradient on f_mu comes to (23/7) gamma mu in terms of f,
/// a quarter of eps, which leaves the rest to the solver; and the minimum of f is missed by gamma mu alone
/// where f_mu is minimised. (Garber, Kaplan 2019, Theorem 6 and Corollary 1; 3 and 4 are examples.)
class SmoothingAccuracy {
 public:
  static constexpr std::string_view kAbility = "claros.smoothing-accuracy/1";
  virtual ~SmoothingAccuracy() = default;
  /// gamma > 0; 0 where nothing is smoothed.
  virtual double gap_factor(const Shape& shape) const = 0;
};

}  // namespace claros
