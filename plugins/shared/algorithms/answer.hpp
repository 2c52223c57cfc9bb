// SPDX-License-Identifier: BSD-3-Clause
/// @file answer.hpp  Which of its iterates an algorithm answers with.
#pragma once

#include <claros/element/element.hpp>
#include <claros/parameters.hpp>
#include <shared/estimators/reservoir.hpp>

#include <limits>

namespace claros::sdk {

/// The point that a run returns: the last iterate, the mean of all, one drawn uniformly, that of smallest
/// measured gap, or the algorithm's choice.
enum class Output { automatic, last, average, uniform, best_gap };

inline WordRange<Output> last_average_or_uniform() {
  return one_of<Output>({{Output::last, "last"}, {Output::average, "average"}, {Output::uniform, "uniform"}});
}

/// The last iterate, one drawn uniformly from those that were added, their average, or the measured one of
/// smallest gap.
class Answer {
 public:
  /// `rule` is not automatic.
  Answer(Output rule, RandomStream stream) : rule_(rule), reservoir_(stream) {}

  void start(const Element& x) {
    reservoir_.start();
    count_ = 0;
    best_gap_ = std::numeric_limits<double>::infinity();
    keep(x);
  }
  /// The next point of the sequence.
  void add(const Element& x) {
    if (rule_ == Output::average) return average(x);
    if (rule_ == Output::uniform && reservoir_.takes()) keep(x);
  }
  void measured(const Element& x, double gap) {
    if (rule_ != Output::best_gap || !(gap < best_gap_)) return;
    best_gap_ = gap;
    keep(x);
  }
  /// The point to return if the run is at x.
  const Element& of(const Element& x) const { return rule_ == Output::last ? x : kept_; }
  bool is_last() const { return rule_ == Output::last; }

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

  Output rule_;
  Reservoir reservoir_;
  Element kept_;
  Index count_ = 0;
  double best_gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace claros::sdk
