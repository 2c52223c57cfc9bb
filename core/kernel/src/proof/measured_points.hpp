// SPDX-License-Identifier: BSD-3-Clause
/// @file measured_points.hpp  The measurements that a run keeps: the best point, the last numbers, and since
/// when nothing was gained.
#pragma once

#include <claros/run/stopping.hpp>

#include <claros/state/state.hpp>
#include <claros/watch/counts.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace claros {

/// The points that a run keeps besides those of the algorithm. They are kept without images: shared images
/// would be updated in another order, which changes bits.
class BestPoints {
 public:
  /// `keeps_best`: whether the run may diverge, so that the point of the smallest value is kept.
  explicit BestPoints(bool keeps_best) : keeps_best_(keeps_best) {}

  void start(const Element& x0);
  /// The value at the start, which replaces what was noted before.
  void start_value(double value);
  /// A value after `steps` steps; `rounding`: the error of its arithmetic, as far as it was measured.
  void note_value(double value, double rounding, Index steps);
  void note(const Element& x, const Measurement& m);
  /// The point of the smallest value, if it is kept and finite; else null.
  const Element* best() const;
  /// The smallest value of the points kept and of `here`, at x; if no best point is kept, the smallest of all
  /// values.
  double lowest_value(double here) const { return std::min(keeps_best_ ? best_value_ : value_, here); }
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
};

/// The point of the least error on held-out data, to kFall of it: for stop.patience.
struct LeastHeldOut {
  Element point;
  double error = std::numeric_limits<double>::infinity();
  Index steps = 0;  ///< when it was noted

  void note(double at_x, const Element& x, Index now);
  bool is_known() const { return error < std::numeric_limits<double>::infinity(); }
  void state(StateVisitor& v);
};

/// The last measurements, and the numbers of steps before them.
struct LastMeasured {
  Index value_after = -1, iterate_after = -1, solution_after = -1;
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  double residual = std::numeric_limits<double>::quiet_NaN();
  double estimator_error = std::numeric_limits<double>::quiet_NaN();  ///< of this step, where a row needs it
  Measurement solution;
  /// True if a measurement that is due after the last step, or at the start, was given up or is under way.
  bool due_again = false;

  void state(StateVisitor& v);
};

/// Since when a run gains nothing.
struct Standing {
  double value = std::numeric_limits<double>::quiet_NaN();
  Index flat = 0;                 ///< steps after which the value has kept its bits
  Index since = 0;                ///< steps after which nothing has changed that steps depend on
  std::uint64_t fingerprint = 0;  ///< of the state then; 0: not made
  double least_value = std::numeric_limits<double>::infinity(), least_gap = least_value,
         least_residual = least_value;
  Index gained = 0;  ///< steps after which one of these has fallen by more than rounding
  Counts counts;     ///< of the run at the last measurement

  /// Notes a measurement after so many steps.
  void note(const Measurement& m, Index steps);
  void state(StateVisitor& v);
};

}  // namespace claros
