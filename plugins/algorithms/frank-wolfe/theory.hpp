// SPDX-License-Identifier: BSD-3-Clause
/// @file theory.hpp  The numbers of Theorem 3.1 (Shen et al. 2019).
#pragma once

#include <claros/algorithm.hpp>
#include <claros/sdk/estimators/gradient_theory.hpp>
#include <claros/state/state.hpp>

/// With E||g_t - grad f(x_t)||^2 <= epsilon^2/4, eta = epsilon/L and T = L (f(x_1) - f*)/epsilon^2 steps,
/// x_{t0} of a uniform t0 in {1..T} has E V_C <= 5 epsilon D (the paper leaves out D). Both epsilon and L are
/// the estimator's, so that batches and steps have the same accuracy. A lower bound takes the place of the
/// unknown f*.
class NormalizedTheory {
 public:
  /// Throws Error(usage) that names the missing constants. `diameter`: D.
  void start(const claros::Problem& problem, double diameter);
  /// Once, at x_1.
  void see_first(const claros::Problem& problem, const claros::Element& x);
  double eta() const;
  /// T, at least 1; 0 before x_1 was seen.
  claros::Index steps() const noexcept { return steps_; }
  void state(claros::StateVisitor& v) {
    v("steps", steps_);
    v.require(steps_ >= 0, "steps", "negative");
  }

 private:
  claros::sdk::GradientTheory::Steps numbers_;
  double lower_bound_ = 0.0, diameter_ = 0.0;
  claros::Index steps_ = 0;
};
