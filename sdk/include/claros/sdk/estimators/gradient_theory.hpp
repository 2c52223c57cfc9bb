// SPDX-License-Identifier: BSD-3-Clause
/// @file gradient_theory.hpp The guarantee of an estimator whose numbers are those of a theory, and its
/// steps.
#pragma once

#include <claros/watch/watcher.hpp>

#include <string_view>

namespace claros::sdk {

/// Ability of estimators with the numbers of Shen et al. 2019: as long as ||x_{t+1} - x_t|| <= epsilon/L,
/// E||g_t - grad f(x_t)||^2 <= epsilon^2/4 (there (9)). So a user sets the accuracy of a run once, on its
/// estimator, and an algorithm takes its steps from it. Offered only if every number of the estimator is the
/// theory's.
class GradientTheory {
 public:
  static constexpr std::string_view kAbility = "claros.gradient-theory/1";
  static constexpr std::string_view kWords = "the steps of a theory of its estimates";
  /// Steps have the length epsilon / L; L is 0 if gradients are constant.
  struct Steps {
    double epsilon = 0.0, L = 0.0;
  };
  struct Watched;
  virtual ~GradientTheory() = default;
  /// Called after `start`. Throws Error(usage) that names the unknown number.
  virtual Steps theory_steps() const = 0;
};

/// Not timed: the constants of the objective have a clock of their own.
struct GradientTheory::Watched final : Watcher<GradientTheory> {
  using Watcher::Watcher;
  Steps theory_steps() const override {
    return contain(watch_, [&] { return inner_.theory_steps(); });
  }
};

}  // namespace claros::sdk
