// SPDX-License-Identifier: BSD-3-Clause
/// @file epoch_end.hpp  Where an epoch ends, and the next begins.
#pragma once

#include <claros/element/element.hpp>
#include <shared/estimators/reservoir.hpp>

/// The point of an epoch that the next one begins at; automatic: the algorithm chooses.
enum class Snapshot { automatic, last, average, random };

/// The end of an epoch with the inner points x_1 .. x_m: the last, their average, or one drawn uniformly.
class EpochEnd {
 public:
  explicit EpochEnd(claros::RandomStream stream) : reservoir_(stream) {}

  /// `rule` is not automatic.
  void start(const claros::Shape& shape, Snapshot rule) {
    rule_ = rule;
    reservoir_.start();
    count_ = 0;
    kept_ = claros::Element(shape);
  }
  void begin_epoch() { reservoir_.restart(), count_ = 0; }
  void add(const claros::Element& x) {
    ++count_;
    if (rule_ == Snapshot::average) kept_.blend(1.0 / static_cast<double>(count_), x);
    if (rule_ == Snapshot::random && reservoir_.takes()) kept_ = x;
  }
  bool averages() const { return rule_ == Snapshot::average; }
  /// Adds the sum of `points` points, which are not known one by one.
  void add_sum(claros::Element sum, claros::Index points) {
    if (points == 0) return;
    count_ += points;
    sum.scale(1.0 / static_cast<double>(points));
    kept_.blend(static_cast<double>(points) / static_cast<double>(count_), sum);
  }
  /// True if the epoch ends at its last point.
  bool keeps_last() const { return rule_ == Snapshot::last; }
  /// The end of the epoch otherwise.
  const claros::Element& kept() const noexcept { return kept_; }

  void state(claros::StateVisitor& v) {
    v("kept", kept_);
    v("count", count_);
    v.require(count_ >= 0, "count", "negative");
    v("reservoir", reservoir_);
  }

 private:
  Snapshot rule_ = Snapshot::last;
  claros::sdk::Reservoir reservoir_;
  claros::Element kept_;
  claros::Index count_ = 0;
};
