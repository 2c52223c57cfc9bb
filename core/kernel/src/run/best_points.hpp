// SPDX-License-Identifier: BSD-3-Clause
/// @file best_points.hpp  BestPoints: the points that a run keeps besides those of the algorithm.
#pragma once

#include <claros/run/run_loop.hpp>

#include <limits>
#include <optional>

namespace claros {

/// All points are kept without images: shared images would be updated in another order, which changes bits.
class BestPoints {
 public:
  struct Measured {
    Element point;
    Measurement measurement;
  };

  /// `keeps_best`: whether the run may diverge, so that the point of the smallest value is kept.
  explicit BestPoints(bool keeps_best) : keeps_best_(keeps_best) {}

  void start(const Element& x0);
  /// The value at the start, which replaces what was noted before.
  void start_value(double value);
  /// A value after `steps` steps; `rounding`: the error of its arithmetic, as far as it was measured.
  void note_value(double value, double rounding, Index steps);
  void note(const Element& x, const Measurement& m);
  /// A measured point of finite value, which is then the last one. A watchdog reads it: the caller holds it
  /// off.
  void keep_last(const Element& x, const Measurement& m);

  const std::optional<Measured>& last() const { return last_; }
  /// The point of the smallest value, if it is kept and finite; else null.
  const Element* best() const;
  /// The smallest value of the points kept and of `here`, at x; if no best point is kept, the smallest of all
  /// values.
  double lowest_value(double here) const;
  /// The point that lowest_value refers to; the start where no best point is kept.
  const Element& lowest_point(const Element& x, double here) const;
  /// The error of the arithmetic of the smallest value.
  double rounding() const { return rounding_; }
  Index steps_since_best(Index steps) const { return steps - steps_; }

  void state(StateVisitor& v);

 private:
  const bool keeps_best_;
  Element start_;
  Element best_;
  double best_value_ = std::numeric_limits<double>::infinity();  // at best_
  double value_ = std::numeric_limits<double>::infinity();       // the smallest, also where no point is kept
  double rounding_ = 0.0;                                        // of value_
  Index steps_ = 0;                                              // when value_ was measured
  std::optional<Measured> last_;
};

}  // namespace claros
