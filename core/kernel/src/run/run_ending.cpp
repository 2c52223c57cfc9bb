// SPDX-License-Identifier: BSD-3-Clause
// The end of a run: the solution and the measurements that it keeps, in trouble too.
#include "run/feasibility.hpp"
#include "run/run.hpp"

#include <cmath>
#include <limits>

namespace claros {

/// The first failure is the one that is reported.
void Run::fail(const Error& error, Status status) {
  if (!in_trouble() || !ended_) end(status);
  if (!result_.failure.empty()) return;
  result_.failure = "after " + std::to_string(result_.iterations) +
                    (result_.iterations == 1 ? " step: " : " steps: ") + error.what();
  result_.failure_kind = error.kind();
}

void Run::fail(const std::optional<Failure>& failure) {
  if (!failure) return;
  if (failure->unsound) unsound_ = true;
  fail(failure->error, failure->status);
}

/// The run ends, and what it had before stays. A run that is over at a budget is interrupted all the same; a
/// target was met.
void Run::give_up(Interrupted::Cause cause) {
  limits_.give_up(cause);
  const bool interrupted = cause == Interrupted::Cause::interrupt;
  if (!ended_ || (interrupted && !in_trouble() && !is_target(result_.status)))
    end(interrupted ? Status::interrupted : Status::seconds);
}

void Run::finish() {
  finishing_ = true;
  result_.epochs = problem_.estimator->epochs();
  if (!started_ && limits_.gave_up_step()) return take_last_measured();
  if (!started_) return note_end();
  attempt([&] { expect_first_measurement(); });
  constexpr double kMore = 1.5;  // than the last measurement has: the watchdog waits longer
  if (settings_.watchdog) settings_.watchdog->expect(kMore * limits_.last_measurement());
  if (limits_.gave_up_step()) return take_last_measured();
  if (!in_trouble() && !limits_.gave_up()) attempt([&] { last_row(); });
  attempt([&] {
    const Element& answer = algorithm_.answer();
    const auto held = holding();
    result_.answer = answer;
  });
  if (!in_trouble()) attempt([&] { measure_solution(); });
  if (result_.status == Status::diverged || result_.status == Status::unbounded)
    fall_back_to_best();
  else if (in_trouble())
    fall_back();
  if (unsound_) certify_nothing();
  if (!in_trouble() && !limits_.gave_up() && settings_.trace.certificate)
    attempt([&] { result_.eigengap = measuring([&] { return measurer_.eigengap(result_.answer); }); });
  attempt([&] { result_.step = algorithm_.report().weight; });
  note_end();
}

void Run::note_end() {
  result_.note = limits_.what_was_given_up(result_.measurement);
  if (result_.note.empty() && result_.status == Status::stall) result_.note = stands_;
  result_.lower_bound = judgement_.lower_bound();
  result_.work = checks_.work();
  result_.measuring_work = checks_.measuring_work();
  result_.elapsed_seconds = limits_.elapsed();
}

void Run::measure_solution() {
  result_.measurement = last_measurement();
  if (!limits_.gave_up()) result_.measurement = measured_anew(algorithm_.answer(), result_.measurement);
  if (result_.status != Status::interrupted && result_.status != Status::stopped_by_host)
    judge(result_.measurement, true);
  if (!in_trouble()) (void)sound_solution(result_.measurement);
}

/// If it is given up, now or before, it has the value alone.
Measurement Run::last_measurement() {
  Measurement m;
  if (!limits_.gave_up() || last_.solution_after == result_.iterations) try {
      return measured_solution();
    } catch (const Interrupted& interrupted) {
      give_up(interrupted.cause());
      m.value = measurer_.value_measured();
    }
  if (std::isnan(m.value))
    m.value = timed(result_.measuring_seconds, [&] { return measurer_.value(algorithm_.answer()); });
  return m;
}

/// After a step that was given up, which leaves the algorithm without an iterate.
void Run::take_last_measured() {
  if (points_.last()) {
    const auto held = holding();
    result_.answer = points_.last()->point;
    result_.measurement = points_.last()->measurement;
  } else {
    attempt([&] { result_.measurement.value = measuring([&] { return measurer_.value(result_.answer); }); });
  }
  attempt([&] { result_.violation = set_violation(problem_, names_, result_.answer); });
  note_end();
}

/// The numbers are kept, and prove nothing.
void Run::certify_nothing() {
  result_.measurement.confirmed = result_.measurement.bounds_minimum = false;
  judgement_.withdraw_bound();
}

/// A run that diverged has measured better points than its last.
void Run::fall_back_to_best() {
  const Element* best = points_.best();
  if (!best) return fall_back();
  {
    const auto held = holding();
    result_.answer = *best;
  }
  attempt([&] { result_.measurement = measured(result_.answer); });
  note_violation();
}

/// Measured without a trace too: if there is a choice of answers it may be the one, and the algorithm may
/// find that it diverged.
void Run::last_row() {
  const bool current = !result_.trace.empty() && result_.trace.back().iteration == result_.iterations;
  if (current) return;
  const Measurement m = measure_iterate();
  if (settings_.trace.on) keep(chosen_row(m));
}

/// A step that failed leaves the algorithm's own solution sound as a rule: finite, and in the set. Else the
/// last point that was measured is taken.
void Run::fall_back() {
  double& value = result_.measurement.value;
  attempt([&] {
    if (all_finite(result_.answer)) value = measurer_.value(result_.answer);
  });
  note_violation();
  const bool inside = !(result_.violation > allowed_outside(problem_, names_));
  if (std::isfinite(value) && (inside || !points_.last()))
    return attempt([&] { result_.measurement = measured(result_.answer); });
  if (!points_.last()) return;
  {
    const auto held = holding();
    result_.answer = points_.last()->point;
    result_.measurement = points_.last()->measurement;
  }
  note_violation();
}

/// Unknown if the set cannot be asked any more.
void Run::note_violation() {
  result_.violation = std::numeric_limits<double>::quiet_NaN();
  attempt([&] { result_.violation = set_violation(problem_, names_, result_.answer); });
}

}  // namespace claros
