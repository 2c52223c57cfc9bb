// SPDX-License-Identifier: BSD-3-Clause
/// @file mean_point.hpp  The mean of the points where gradients were taken.
#pragma once

#include <claros/element/element.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

/// (1/t) sum_{k <= t} x_k, without images, in at most as many columns as a side has.
class MeanPoint {
 public:
  void start(const claros::Element& x1) {
    mean_ = x1;
    mean_.drop_images();
  }
  /// x_t joins.
  void add(const claros::Element& x, double t) {
    mean_.blend(1.0 / t, x);
    mean_.drop_images();
    if (mean_.columns() > std::min(mean_.shape().rows, mean_.shape().cols)) mean_.recompress(0.0);
  }
  const claros::Element& point() const noexcept { return mean_; }

  void state(claros::StateVisitor& v) { v("mean", mean_); }

 private:
  claros::Element mean_;
};
