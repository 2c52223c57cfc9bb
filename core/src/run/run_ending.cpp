// SPDX-License-Identifier: BSD-3-Clause
// What a run keeps at its end, in trouble too.
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

/// Work that polled found the run's time over, or an interrupt. Where a step was under way, nothing that the
/// algorithm holds can be relied on: the solution is the last point that was measured, and no checkpoint
/// follows.
void Run::abandon(Interrupted::Cause cause) {
  if (!ended_) end(cause == Interrupted::Cause::interrupt ? Status::interrupted : Status::seconds);
  if (!stepping_ || !good_) return;
  const auto held = holding();
  result_.answer = good_->point;
  result_.measurement = good_->measurement;
}

void Run::finish() {
  result_.epochs = problem_.estimator->epochs();
  if (stepping_) result_.waited_seconds = waited();
  if (!started_ || (stepping_ && !in_trouble())) return;
  attempt([&] { expect_first_measurement(); });
  if (!in_trouble()) attempt([&] { last_row(); });
  attempt([&] {
    const Element& answer = algorithm_.answer();
    const auto held = holding();
    result_.answer = answer;
  });
  if (!in_trouble())
    attempt([&] {
      result_.measurement = measured_answer();
      if (result_.status != Status::interrupted && result_.status != Status::stopped_by_host) judge(result_.measurement, true);
      if (!in_trouble()) (void)sound_answer(result_.measurement);
    });
  if (result_.status == Status::diverged || result_.status == Status::unbounded)
    fall_back_to_best();
  else if (in_trouble())
    fall_back();
  if (unsound_) certify_nothing();
  if (!in_trouble() && settings_.trace.certificate) attempt([&] { result_.eigengap = measurer_.eigengap(result_.answer); });
  attempt([&] { result_.step = algorithm_.report().weight; });
  result_.waited_seconds = waited();
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

/// Measured without a trace too: where there is a choice of answers it may be the one, and the algorithm may find that it
/// diverged.
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
