// SPDX-License-Identifier: BSD-3-Clause
// What a run keeps at its end, in trouble too.
#include "run/feasibility.hpp"
#include "run/run.hpp"

#include <cmath>
#include <limits>

namespace claros {

/// What went wrong first is what is told.
void Run::fail(const Error& error, Status status) {
  if (!in_trouble() || !ended_) end(status);
  if (!result_.failure.empty()) return;
  result_.failure = "after " + std::to_string(result_.iterations) +
                    (result_.iterations == 1 ? " step: " : " steps: ") + error.what();
  result_.failure_kind = error.kind();
}

void Run::finish() {
  finishing_ = true;
  result_.epochs = problem_.estimator->epochs();
  if (!started_) return;
  attempt([&] { expect_first_measurement(); });
  expect_last_measurement();
  if (given_up_ == Work::step) return take_last_measured();
  if (!in_trouble() && !given_up_) attempt([&] { last_row(); });
  attempt([&] {
    const Element& answer = algorithm_.answer();
    const auto held = holding();
    result_.answer = answer;
  });
  if (!in_trouble()) attempt([&] { measure_answer(); });
  if (result_.status == Status::diverged || result_.status == Status::unbounded)
    fall_back_to_best();
  else if (in_trouble())
    fall_back();
  if (unsound_) certify_nothing();
  if (!in_trouble() && !given_up_ && settings_.trace.certificate)
    attempt([&] { result_.eigengap = measuring([&] { return measurer_.eigengap(result_.answer); }); });
  attempt([&] { result_.step = algorithm_.report().weight; });
  note_end();
}

void Run::note_end() {
  result_.note = what_was_given_up();
  result_.work = work();
  result_.measuring_work = loop_.measuring_work;
  result_.waited_seconds = waited();
}

void Run::measure_answer() {
  result_.measurement = last_measurement();
  if (result_.status != Status::interrupted && result_.status != Status::stopped_by_host)
    judge(result_.measurement, true);
  if (!in_trouble()) (void)sound_answer(result_.measurement);
}

/// Of one that is given up, now or before, the value alone.
Measurement Run::last_measurement() {
  Measurement m;
  if (!given_up_ || loop_.answer_iteration == result_.iterations) try {
      return measured_answer();
    } catch (const Interrupted& interrupted) {
      given_up(interrupted.cause());
      m.value = measurer_.value_measured();
    }
  if (std::isnan(m.value))
    m.value = timed(result_.measuring_seconds, [&] { return measurer_.value(algorithm_.answer()); });
  return m;
}

/// After a step that was given up: the algorithm stands nowhere.
void Run::take_last_measured() {
  if (good_) {
    const auto held = holding();
    result_.answer = good_->point;
    result_.measurement = good_->measurement;
  } else {
    attempt([&] {
      result_.measurement.value =
          timed(result_.measuring_seconds, [&] { return measurer_.value(result_.answer); });
    });
  }
  attempt([&] { result_.violation = set_violation(problem_, names_, result_.answer); });
  note_end();
}

/// Its numbers stand, and prove nothing.
void Run::certify_nothing() {
  result_.measurement.confirmed = result_.measurement.bounds_minimum = false;
  result_.lower_bound = -std::numeric_limits<double>::infinity();
}

/// A run that went astray has seen better points than its last.
void Run::fall_back_to_best() {
  if (!std::isfinite(loop_.best_point_value)) return fall_back();
  {
    const auto held = holding();
    result_.answer = loop_.best_point;
  }
  attempt([&] { result_.measurement = measured(result_.answer); });
}

/// Measured without a trace too: where there is a choice of answers it may be the one, and the algorithm may
/// find that it diverged.
void Run::last_row() {
  const bool current = !result_.trace.empty() && result_.trace.back().iteration == result_.iterations;
  if (current) return;
  const Measurement m = look_at_iterate();
  if (settings_.trace.on) keep(chosen_row(m));
}

/// A step that failed leaves the algorithm's own answer sound as a rule; else the last point known to be is
/// taken.
void Run::fall_back() {
  double& value = result_.measurement.value;
  attempt([&] {
    if (all_finite(result_.answer)) value = measurer_.value(result_.answer);
  });
  if (std::isfinite(value)) return attempt([&] { result_.measurement = measured(result_.answer); });
  if (!good_) return;
  const auto held = holding();
  result_.answer = good_->point;
  result_.measurement = good_->measurement;
}

}  // namespace claros
