// SPDX-License-Identifier: BSD-3-Clause
/// @file judgement.hpp  Judgement: whether a run diverges, and whether what it would call a success is one.
#pragma once

#include "proof/measured_points.hpp"
#include "proof/measurer.hpp"

#include <claros/error.hpp>

#include <limits>
#include <optional>

namespace claros {

/// Why a run is over.
struct Failure {
  Error error;
  Status status;
  bool unsound = false;  ///< the solution is, or what a component says of it: nothing is certified
};

class Judgement {
 public:
  /// All outlive this.
  Judgement(const Problem& problem, const ComponentNames& names, const StopOptions& stop, Gap& gap,
            const BestPoints& points)
      : problem_(problem), names_(names), stop_(stop), gap_(gap), points_(points) {}

  /// Sets the values that later ones are compared with: those at the start and at 0. A start outside the set
  /// may lie below every value on it, and the value after a step stands for that of the start.
  void start(double here, double at_zero, bool is_outside);
  void note_value(double value, Index steps);
  /// Keeps the largest lower bound so far.
  void note_bound(const Measurement& m);
  double lower_bound() const noexcept { return lower_bound_; }
  void withdraw_bound() noexcept { lower_bound_ = -std::numeric_limits<double>::infinity(); }

  /// The failure of a value at x that is not finite, measured after `steps` steps.
  std::optional<Failure> of_infinite(double value, const Element& x, Index steps) const;
  /// Growth and fall without limit, measured after `steps` steps. `last`: the measurement is the one at the
  /// end.
  std::optional<Failure> of_growth(const Measurement& m, Index steps, bool last);
  /// A lower bound that lies above a value; `m` was measured at x.
  std::optional<Failure> of_bound(const Measurement& m, const Element& x);
  /// A gap below 0.
  std::optional<Failure> of_gap(const Measurement& m) const;
  /// A target that was met, where f is flat and the value worst.
  std::optional<Failure> of_target(Status target, const Measurement& m) const;
  /// A solution outside the set; `violation` is set to how far it lies outside.
  std::optional<Failure> of_solution(const Element& x, double& violation) const;

  /// True if a value is so far from that of the start that the point is worth a measurement.
  bool far(double value) const;
  /// True if the last measurements found the value far above the start and rising.
  bool rising() const { return far_checks_ > 0; }
  /// Lowers the gap of `m`, measured at x, to what else is known: the value minus the largest lower bound;
  /// and the value itself, where f + h is never below 0 and the value is 0 to the error of its arithmetic at
  /// x.
  void lower_gap(Measurement& m, const Element& x);
  /// True if the gap of `m` meets stop.relative_gap; so does a value that lower_gap has found to be 0.
  bool meets_relative_gap(const Measurement& m) const;
  /// The gap that is asked for at f = `value`; infinite where the value may be 0 to rounding.
  double gap_target(double value) const;
  /// True if the gap asked for is below the error of the arithmetic, still after twice the steps; warns once.
  bool below_rounding(const Measurement& m, Index steps);

  void state(StateVisitor& v);

 private:
  bool is_nonnegative() const;
  double asked(double value) const;
  bool far_above(double value, Index steps, bool last);
  Failure contradiction(const Measurement& m, double value, bool gradient_fits) const;

  const Problem& problem_;
  const ComponentNames& names_;
  const StopOptions& stop_;
  Gap& gap_;
  const BestPoints& points_;
  double first_value_ = std::numeric_limits<double>::quiet_NaN();  // at the start
  bool starts_outside_ = false;
  double value_scale_ = 0.0;  // of values: the larger magnitude at the start and at 0
  Index far_checks_ = 0;      // in a row that found the value far above the start, and not falling
  Index far_since_ = 0;       // steps before the first of these
  double far_value_ = -std::numeric_limits<double>::infinity();  // at the last of these
  double lower_bound_ = -std::numeric_limits<double>::infinity();
  double bound_rounding_ = 0.0;                             // the error of its arithmetic
  double zero_ = std::numeric_limits<double>::quiet_NaN();  // the last value that is 0 to its arithmetic
  Index warned_after_ = -1;                                 // steps; -1: not yet
};

}  // namespace claros
