// SPDX-License-Identifier: BSD-3-Clause
/// @file distance.hpp  How far the vertex lies from the iterate.
#pragma once

#include <claros/element/element.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

/// ||v - x||^2 from three numbers, of which ||x||^2 is carried along: with many columns it is expensive to
/// compute.
class Distance {
 public:
  /// `used` is true if the distance is needed; else all is 0.
  void start(const claros::Element& x, bool used) {
    used_ = used;
    xv_ = vv_ = squared_norm_ = 0.0;
    measure(x);
  }
  /// ||x||^2 anew.
  void measure(const claros::Element& x) {
    if (used_) squared_norm_ = inner(x, x);
  }
  /// Sets the step from x towards v.
  void aim(const claros::Element& x, const claros::Element& v) {
    if (used_) xv_ = inner(v, x), vv_ = inner(v, v);
  }
  double squared() const { return std::max(squared_norm_ - 2.0 * xv_ + vv_, 0.0); }
  /// x <- (1 - weight) x + weight v.
  void moved(double weight) {
    squared_norm_ =
        (1 - weight) * (1 - weight) * squared_norm_ + 2 * weight * (1 - weight) * xv_ + weight * weight * vv_;
  }

  void state(claros::StateVisitor& v) { v("squared norm", squared_norm_); }

 private:
  bool used_ = false;
  double xv_ = 0.0, vv_ = 0.0, squared_norm_ = 0.0;
};
