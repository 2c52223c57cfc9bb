// SPDX-License-Identifier: BSD-3-Clause
/// @file step_length.hpp  The lengths of the steps of dual ascent.
#pragma once

#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

/// The dual function has a gradient that is 1/mu-Lipschitz, so steps of mu are safe. Most of its curvatures
/// are far smaller. The last two points x and duals v show one of them. The next step is
///     min(1.2 t, <x - x+, v+ - v> / ||x - x+||^2), at least mu.
/// If the distance to a solution has not fallen by a tenth in 100 steps, all further steps are mu.
class DualStepLength {
 public:
  void start(double mu) {
    mu_ = mu;
    length_ = mu;
    least_ = std::numeric_limits<double>::infinity();
    since_ = 0;
    grows_ = true;
  }
  double length() const noexcept { return length_; }

  /// `product` = <x - x+, v+ - v> and `square` = ||x - x+||^2 of the last step.
  void see(double product, double square) {
    if (!grows_) return;
    const double inverse = square > 0.0 ? product / square : std::numeric_limits<double>::infinity();
    length_ = std::clamp(std::min(kGrowth * length_, inverse), mu_, kMost * mu_);
  }
  /// `distance`: that of the two primal points, which is 0 at a solution.
  void note(double distance) {
    if (distance < kFall * least_) {
      least_ = distance;
      since_ = 0;
    } else if (++since_ >= kPatience) {
      grows_ = false;
      length_ = mu_;
    }
  }

  void state(claros::StateVisitor& v) {
    v("length", length_);
    v.require(length_ >= mu_ && std::isfinite(length_), "length", "shorter than mu");
    v("least distance", least_);
    v("since", since_);
    v("grows", grows_);
  }

 private:
  static constexpr double kGrowth = 1.2, kMost = 1e6, kFall = 0.9;
  static constexpr claros::Index kPatience = 100;

  double mu_ = 1.0, length_ = 1.0, least_ = 0.0;
  claros::Index since_ = 0;
  bool grows_ = true;
};
