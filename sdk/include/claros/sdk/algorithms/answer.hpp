// SPDX-License-Identifier: BSD-3-Clause
/// @file answer.hpp  Which of its iterates an algorithm answers with.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/estimators/reservoir.hpp>

#include <limits>
#include <string>
#include <utility>

namespace claros::sdk {

/// The last iterate, one drawn uniformly from those that were added, their average, or the measured one of
/// smallest gap.
class Answer {
 public:
  /// `rule`: last, uniform, average or best-gap.
  Answer(std::string rule, RandomStream stream) : rule_(std::move(rule)), reservoir_(stream) {}

  void start(const Element& x) {
    reservoir_.start();
    count_ = 0;
    best_gap_ = std::numeric_limits<double>::infinity();
    keep(x);
  }
  /// The next point of the sequence.
  void add(const Element& x) {
    if (rule_ == "average") return average(x);
    if (rule_ == "uniform" && reservoir_.takes()) keep(x);
  }
  void measured(const Element& x, double gap) {
    if (rule_ != "best-gap" || !(gap < best_gap_)) return;
    best_gap_ = gap;
    keep(x);
  }
  /// Where the run is at x.
  const Element& of(const Element& x) const { return rule_ == "last" ? x : kept_; }
  bool is_last() const { return rule_ == "last"; }

  void state(StateVisitor& v) {
    v("kept", kept_);
    v("best gap", best_gap_);
    v("count", count_);
    v.require(count_ >= 0, "count", "negative");
    v("reservoir", reservoir_);
  }

 private:
  /// Without images: shared ones would be updated in another order, and which point is kept would change the
  /// steps' bits.
  void keep(const Element& x) {
    kept_ = x;
    kept_.drop_images();
  }

  /// In factors as long as these are fewer numbers than the entries.
  void average(const Element& x) {
    ++count_;
    kept_.blend(1.0 / static_cast<double>(count_), x);
    kept_.drop_images();
    const Shape& shape = kept_.shape();
    if (kept_.columns() > 0 && kept_.columns() * (shape.rows + shape.cols) > shape.size())
      (void)kept_.dense_values();
  }

  std::string rule_;
  Reservoir reservoir_;
  Element kept_;
  Index count_ = 0;
  double best_gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace claros::sdk
