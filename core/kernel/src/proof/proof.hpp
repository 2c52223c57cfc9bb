// SPDX-License-Identifier: BSD-3-Clause
/// @file proof.hpp  Proof: what is known of the points of a run, and whether a target is met there.
#pragma once

#include "proof/gap_checks.hpp"
#include "proof/judgement.hpp"
#include "proof/measured_points.hpp"

#include <functional>
#include <string>

namespace claros {

/// How a run ends: by the loop, or by what a proof finds. The first failure is the one that is reported.
struct Ending {
  Status status = Status::failed;
  bool over = false;
  bool finishing = false;  ///< nothing follows but the measurement of the solution
  bool unsound = false;    ///< the solution is, or what a component says of it
  std::string failure;
  ErrorKind failure_kind = ErrorKind::numerical;
  std::string unattained;  ///< along which direction f + h has no minimum (recession.hpp)
  std::string standstill;  ///< how the algorithm came to a stand, in words; empty: it did not

  bool in_trouble() const { return is_trouble(status); }
  void end(Status why) {
    status = why;
    over = true;
  }
  /// After `steps` steps.
  void fail(const Error& error, Status why, Index steps);
};

/// Measures the points of a run, decides when, and ends the run if a target is met or never will be.
class Proof {
 public:
  /// The help that the run loop gives.
  struct Loop {
    /// Calls `call` under the limits of measuring, and adds its time to measuring_seconds.
    std::function<void(const std::function<void()>& call)> limited;
    /// Keeps a measurement, which took so many seconds.
    std::function<void(const Element& x, const Measurement& m, double seconds)> measured;
    /// A number of all that steps depend on (RunState).
    std::function<std::uint64_t()> fingerprint;
  };

  /// All outlive this. `numbers` are those of the run so far.
  Proof(const Problem& problem, Algorithm& algorithm, const ComponentNames& names, const StopOptions& stop,
        const TraceOptions& trace, RunNumbers& numbers, Ending& ending, Loop loop);

  // --- start
  void begin(const Element& x0) { points_.start(x0); }
  void set_shape(const Shape& shape) { checks_.start(shape); }
  /// Measures the values that later ones are compared with. A trace changes nothing here, although its first
  /// row has the value as well.
  void start(const Element& x0);

  // --- step
  void begin_step() { last_.estimator_error = std::numeric_limits<double>::quiet_NaN(); }
  /// `multiplications`: what decompositions of the step took.
  void end_step(double multiplications);
  /// Makes the measurements that are due, `measure` among them. Those that are given up at an interrupt are
  /// due again in the run that resumes this one.
  void make_due(const std::function<void()>& measure);
  bool is_row_due(Index steps) const { return checks_.row_due(steps); }
  /// Measures what targets need, and ends the run at one that is met.
  void check_targets();
  /// Measures the value if nothing else did while the number of steps doubled, and more if it is far from
  /// that of the start.
  void check_growth();
  /// Measures the error on held-out data if stop.patience asks for it.
  void check_held_out();
  /// True after stop.patience steps in which that error has not fallen.
  bool is_patience_over() const {
    return stop_.patience > 0 && numbers_.iterations - held_out_.steps >= stop_.patience;
  }
  /// True after so many steps without a new best value. Since the last row the value may have fallen: it is
  /// measured here and now.
  bool is_stalled(Index steps);
  /// Takes a standstill back: the algorithm goes on otherwise.
  void go_on();

  // --- points
  /// Measures the iterate and tells the algorithm, which may then choose another solution.
  Measurement of_iterate();
  /// Measures the solution once a step: measured again, from another random start, a target that was met
  /// might no longer be.
  Measurement of_solution();
  /// Measures any point.
  Measurement of(const Element& x);
  /// Measures a point again if `m` is not that of the point itself: its images may have drifted over the
  /// steps.
  Measurement anew(const Element& x, const Measurement& m);
  /// The error of the gradient g that an algorithm sees in a step.
  void note_estimate(const Element& x, const Element& g) {
    last_.estimator_error = measurer_.estimator_error(x, g);
  }
  double value(const Element& x) const { return measurer_.value(x); }
  double eigengap(const Element& x) const { return measurer_.eigengap(x); }

  // --- verdict
  /// Ends the run if `m`, measured at the solution, meets a target and the solution is sound.
  bool end_at_target(const Measurement& m);
  Status target_met(const Measurement& m) const;
  /// Fails a run that grows or falls without limit. `last`: `m` is the measurement at the end.
  void judge(const Measurement& m, bool last = false);
  /// Fails a run whose solution lies outside the set, or whose gap is below 0. A start outside the set is not
  /// a solution yet.
  bool is_sound(const Measurement& m);
  void withdraw_bound() { judgement_.withdraw_bound(); }

  // --- what is known
  const LastMeasured& last() const { return last_; }
  bool is_solution_measured() const { return last_.solution_after == numbers_.iterations; }
  /// The measurement of the iterate after the last step; null if it was not measured.
  const Measurement* iterate() const { return iterate_after_ == numbers_.iterations ? &iterate_ : nullptr; }
  const Element* best_point() const { return points_.best(); }
  const LeastHeldOut& held_out() const { return held_out_; }
  /// The value of a measurement that was given up, if it came to that.
  double value_measured() const { return measurer_.value_measured(); }
  /// Brings the lower bound and the work of the numbers up to date.
  void note_numbers();
  void made_row() { checks_.made_row(); }
  bool is_solution_iterate() const { return &algorithm_.iterate() == &algorithm_.answer(); }

  /// Lists the members. Checkpoints have those of `second` behind the first group.
  void state(StateVisitor& v, const std::function<void()>& second);

 private:
  /// The knowledge of the last step, which decides what is measured.
  struct Known;

  bool is_residual_wanted() const { return stop_.residual > 0; }
  bool is_gap_wanted() const { return stop_.gap > 0 || stop_.relative_gap > 0; }
  bool is_value_wanted() const { return stop_.value > -std::numeric_limits<double>::infinity(); }
  bool is_targeted() const { return is_gap_wanted() || is_residual_wanted() || is_value_wanted(); }
  bool is_endless() const;
  Known known() const;
  bool is_confirmation_due(const Known& known);
  bool is_check_due(const Known& known) const;
  bool seems_met(double gap);
  bool is_met_at(const Element& at);
  const Element* gradient_at() const;
  void fail(const std::optional<Failure>& failure);
  bool note_value(double value, const Element& x);
  void learn(Measurement& m, const Element& x);
  void note_standing(const Measurement& m);
  double limited_value(const Element& x);

  const Problem& problem_;
  Algorithm& algorithm_;
  const ComponentNames& names_;
  const StopOptions& stop_;
  RunNumbers& numbers_;
  Ending& ending_;
  const Loop loop_;
  Measurer measurer_;
  GapChecks checks_;
  BestPoints points_;
  LeastHeldOut held_out_;
  Judgement judgement_;
  LastMeasured last_;
  Standing standing_;
  Measurement iterate_;  // of the iterate after iterate_after_ steps
  Index iterate_after_ = -1, made_anew_after_ = -1;
};

}  // namespace claros
