// SPDX-License-Identifier: BSD-3-Clause
/// @file answer.hpp  Which of its iterates Frank-Wolfe answers with.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/sdk/reservoir.hpp>

#include <limits>
#include <string>
#include <utility>

/// The last iterate, one drawn uniformly from x_1 .. x_T, or the measured one of smallest gap.
class Answer {
 public:
  Answer(std::string rule, claros::RandomStream stream) : rule_(std::move(rule)), reservoir_(stream) {}

  void start(const claros::Element& x) {
    reservoir_.start();
    best_gap_ = std::numeric_limits<double>::infinity();
    keep(x);
  }
  void add(const claros::Element& x) {
    if (rule_ == "uniform" && reservoir_.takes()) keep(x);
  }
  void measured(const claros::Element& x, double gap) {
    if (rule_ != "best-gap" || !(gap < best_gap_)) return;
    best_gap_ = gap;
    keep(x);
  }
  /// Where the run is at x.
  const claros::Element& of(const claros::Element& x) const { return rule_ == "last" ? x : kept_; }

  void state(claros::StateVisitor& v) {
    v("kept", kept_);
    v("best gap", best_gap_);
    v("reservoir", reservoir_);
  }

 private:
  /// Without images: shared ones would be updated in another order, and which point is kept would change the steps' bits.
  void keep(const claros::Element& x) {
    kept_ = x;
    kept_.drop_images();
  }

  std::string rule_;
  claros::sdk::Reservoir reservoir_;
  claros::Element kept_;
  double best_gap_ = std::numeric_limits<double>::infinity();
};
