// SPDX-License-Identifier: BSD-3-Clause
/// @file conditional_step.hpp  The proximal step of a set, by linear minimisation.
#pragma once

#include <claros/element/element.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/point_form.hpp>

#include <algorithm>
#include <cmath>

/// condg minimises phi(u) = <g, u> + (beta/2) ||u - c||^2 over C by Frank-Wolfe with exact steps. It begins
/// at u = c, and ends at a gap of at most eta. (Lan, Zhou 2016, procedure CndG.)
class ConditionalStep {
 public:
  /// A call of `solve` makes no more linear minimisations.
  static constexpr claros::Index kBlock = 32;

  explicit ConditionalStep(double oracle_tolerance) : oracle_tolerance_(oracle_tolerance) {}

  void start(const claros::Shape& shape) {
    base_ = claros::Element(shape);
    beta_ = eta_ = minimum_ = 0.0;
  }
  /// g is folded (fold_fused), c the point that `solve` gets first.
  void begin(const claros::Element& g, double beta, double eta, const claros::Element& c) {
    beta_ = beta;
    eta_ = eta;
    base_.assign_sum(1.0, g, -beta, c);
  }

  /// True if the gap is at most eta, or lost in rounding; else call it again.
  bool solve(claros::LinearOracle& oracle, claros::Element& u, const claros::sdk::PointForm& form) {
    for (claros::Index call = 0; call < kBlock; ++call) {
      slope_.assign_sum(1.0, base_, beta_, u);  // grad phi(u)
      const claros::OracleInfo info = oracle.minimize(slope_, {tolerance(), false}, v_);
      const double at_u = inner(slope_, u), gap = at_u - info.value,
                   rounding = kRounding * (std::abs(at_u) + std::abs(info.value));
      minimum_ = info.value;
      if (at_u - info.lower_bound <= std::max(eta_, rounding)) return true;
      const double squared = inner_differences(v_, u, v_, u);
      const double a = beta_ * squared > gap ? gap / (beta_ * squared) : gap > 0.0 ? 1.0 : 0.0;
      if (gap <= 0.1 * rounding || a == 0.0) return true;
      u.blend(a, v_);  // argmin of phi between u and v
      form.settle(u);
    }
    return false;
  }

  double eta() const noexcept { return eta_; }
  /// beta D/2 - min <grad phi, v>, over D/2: for a nuclear ball, a bound of ||grad f||_op.
  double minimum(double diameter) const {
    return std::min(minimum_, 0.0) - 0.5 * beta_ * diameter * diameter;
  }

  void state(claros::StateVisitor& v) {
    v("base", base_);
    v("beta", beta_);
    v("eta", eta_);
    v("minimum", minimum_);
  }

 private:
  static constexpr double kRounding = 1e-12;

  /// A vertex must be known to a quarter of the gap that is asked for.
  double tolerance() const {
    const double wanted = minimum_ != 0.0 ? 0.25 * eta_ / std::abs(minimum_) : oracle_tolerance_;
    return std::clamp(wanted, std::min(0.25 * kRounding, oracle_tolerance_), oracle_tolerance_);
  }

  double oracle_tolerance_;
  claros::Element base_, slope_, v_;
  double beta_ = 0.0, eta_ = 0.0, minimum_ = 0.0;
};
