// SPDX-License-Identifier: BSD-3-Clause
/// @file gradient_theory.hpp  What an estimator whose numbers are those of a theory promises, and for which
/// steps.
#pragma once

#include <string_view>

namespace claros::sdk {

/// Ability of estimators with the numbers of Shen et al. 2019: as long as ||x_{t+1} - x_t|| <= epsilon/L,
/// E||g_t - grad f(x_t)||^2 <= epsilon^2/4 (there (9)). So the accuracy of a run is said once, by its
/// estimator, and an algorithm takes its steps from it. Offered only where every number of the estimator is
/// the theory's.
class GradientTheory {
 public:
  static constexpr std::string_view kAbility = "claros.gradient-theory/1";
  /// Of length epsilon / L; L is 0 where gradients are constant.
  struct Steps {
    double epsilon = 0.0, L = 0.0;
  };
  virtual ~GradientTheory() = default;
  /// After `start`. Throws Error(usage) that names the unknown number.
  virtual Steps theory_steps() const = 0;
};

}  // namespace claros::sdk
