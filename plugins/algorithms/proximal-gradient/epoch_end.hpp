// SPDX-License-Identifier: BSD-3-Clause
/// @file epoch_end.hpp  Where an epoch ends, and the next begins.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/reservoir.hpp>

#include <string>
#include <utility>

/// Of the inner points x_1 .. x_m of an epoch: the last, their average, or one drawn uniformly.
class EpochEnd {
 public:
  explicit EpochEnd(claros::RandomStream stream) : reservoir_(stream) {}

  /// `rule`: last, average or random.
  void start(const claros::Shape& shape, std::string rule) {
    rule_ = std::move(rule);
    reservoir_.start();
    count_ = 0;
    kept_ = claros::Element(shape);
  }
  void begin_epoch() { reservoir_.restart(), count_ = 0; }
  void add(const claros::Element& x) {
    ++count_;
    if (rule_ == "average") kept_.blend(1.0 / static_cast<double>(count_), x);
    if (rule_ == "random" && reservoir_.takes()) kept_ = x;
  }
  /// Where the epoch that is at x ends.
  const claros::Element& of(const claros::Element& x) const { return rule_ == "last" ? x : kept_; }

  void state(claros::StateVisitor& v) {
    v("kept", kept_);
    v("count", count_);
    v.require(count_ >= 0, "count", "negative");
    v("reservoir", reservoir_);
  }

 private:
  std::string rule_;
  claros::sdk::Reservoir reservoir_;
  claros::Element kept_;
  claros::Index count_ = 0;
};
