// SPDX-License-Identifier: BSD-3-Clause
/// @file gap_checks.hpp  GapChecks: when a run measures. Decided by counted work and numbers of steps, never
/// by a clock, so that a run measures the same points on every machine.
#pragma once

#include <claros/run/stopping.hpp>
#include <claros/state/state.hpp>

namespace claros {

class GapChecks {
 public:
  /// All outlive this.
  GapChecks(const Problem& problem, const TraceOptions& trace, RunNumbers& numbers)
      : problem_(problem), trace_(trace), numbers_(numbers) {}

  /// For a variable of that shape.
  void start(const Shape& shape);

  /// The work of the steps, in component gradients.
  double work() const;
  double measuring_work() const noexcept { return measuring_work_; }
  /// `multiplications`: what decompositions of the step took (spectral_work.hpp).
  void add_step(double multiplications) { spectral_work_ += multiplications; }
  /// A measurement. `known`: the full gradient there was known.
  void add_measurement(bool known, double multiplications);
  /// A measurement at a point whose full gradient was known, for a hint alone.
  void add_hint(double multiplications);
  /// For the nested steps of a measurement; `last`: at the end of the run.
  double multiplications_left(bool last) const;
  /// True if another measurement like the last leaves measuring within its share of the work.
  bool affordable() const;

  /// True if there is a row after `steps` steps, the last of which has made its estimate.
  bool row_due(Index steps) const;
  void made_row();
  /// True if a hint is due now; the next one is then some steps away.
  bool hint_due();
  bool confirmation_due(bool sure) const;
  void confirmation_failed();
  /// True if the gap is to be checked, for a target. `hints`: the points of the gradients give hints.
  bool check_due(bool hints) const;
  void checked(bool hints);
  /// True if the value is due, for its growth alone; the next time is then when the steps have doubled.
  bool value_due();
  void value_due_after_next_step() { next_value_ = numbers_.iterations + 1; }

  /// The dates that a measurement changes, to be restored if it is given up.
  struct Due {
    Index row, hint, value;
  };
  Due due() const { return {next_row_, next_hint_, next_value_}; }
  void set_due(const Due& due) { next_row_ = due.row, next_hint_ = due.hint, next_value_ = due.value; }

  void state(StateVisitor& v);

 private:
  bool measures() const;
  double terms() const;
  bool row_affordable() const;

  const Problem& problem_;
  const TraceOptions& trace_;
  RunNumbers& numbers_;
  double coordinates_ = 1.0;  // of the variable
  double blocks_ = 1.0;       // of the set, if it is a product
  // Numbers of steps after which a row, a gap check, a confirmation, a hint, a value may come.
  Index next_row_ = 1, next_check_ = 0, next_confirmation_ = 0, next_hint_ = 0, next_value_ = 16;
  // In component gradients, but for spectral_work_, in multiplications.
  double next_check_work_ = 0.0, last_check_work_ = 0.0, measuring_work_ = 0.0, spectral_work_ = 0.0;
};

}  // namespace claros
