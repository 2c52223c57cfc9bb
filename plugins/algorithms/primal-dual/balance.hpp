// SPDX-License-Identifier: BSD-3-Clause
/// @file balance.hpp  The two steps of a primal-dual method.
#pragma once

#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>

namespace primal_dual {

/// tau and sigma with 1/tau - sigma ||B||^2 = L/2, the longest that converge (Condat 2013, Theorem 3.1), in
/// the ratio sigma/tau = w^2. The balance w is the ratio of the moves of the dual and of the primal point
/// since it was last set (Applegate et al. 2021, section 3.3). It is set anew after 1, 2, 4, ... steps, at
/// most kMost times, so that the steps do not change from there on.
class Balance {
 public:
  void start(double half_smoothness, double squared_norm, double w) {
    half_ = half_smoothness;
    squared_norm_ = squared_norm;
    w_ = w;
    renewals_ = 0;
  }
  double tau() const noexcept { return length() / w_; }
  double sigma() const noexcept { return length() * w_; }

  /// After step t, t = 1, 2, ...: whether the balance is to be set anew.
  bool due(claros::Index t) const noexcept { return renewals_ < kMost && t >= claros::Index{1} << renewals_; }
  /// Sets w from the two distances: halfway to their quotient, by powers, and by a factor of 4 at most. A
  /// dual point that rests for a while on the boundary of its domain has moved by 0.
  void renew(double primal, double dual) {
    constexpr double kMostFactor = 4.0;
    ++renewals_;
    if (!(primal > 0.0 && dual > 0.0 && std::isfinite(dual / primal))) return;
    w_ *= std::clamp(std::sqrt(dual / primal / w_), 1.0 / kMostFactor, kMostFactor);
  }

  void state(claros::StateVisitor& v) {
    v("balance", w_);
    v.require(w_ > 0.0 && std::isfinite(w_), "balance", "expected a number above 0");
    v("renewals", renewals_);
    v.require(renewals_ >= 0 && renewals_ <= kMost, "renewals", "out of range");
  }

 private:
  static constexpr claros::Index kMost = 24;

  /// eta of tau = eta / w, sigma = eta w: the positive root of w ||B||^2 eta^2 + (L/2) eta - w = 0.
  double length() const noexcept {
    const double root = std::sqrt(half_ * half_ + 4.0 * w_ * w_ * squared_norm_);
    return 2.0 * w_ / (half_ + root);
  }

  double half_ = 0.0, squared_norm_ = 1.0, w_ = 1.0;
  claros::Index renewals_ = 0;
};

}  // namespace primal_dual
