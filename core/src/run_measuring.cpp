// SPDX-License-Identifier: BSD-3-Clause
// What a run measures on its way, and what it keeps at its end.
#include "run.hpp"

#include <claros/run_folder.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

Measurement Run::measured(const Element& x) {
  const Measurement m = timed(result_.measuring_seconds, [&] { return measurer_.measure(x); });
  if (&x == &algorithm_.iterate()) seen_ = m, seen_iteration_ = result_.iterations;
  loop_.last_value = m.value;
  const bool bounds = m.confirmed && (m.gap_kind == "duality" ||
                                      (m.gap_kind == "frank-wolfe" && problem_.objective->constants().convex));
  if (bounds)
    result_.lower_bound = std::max(result_.lower_bound, m.value - m.gap);
  note_value(m.value);
  if (!std::isfinite(m.value)) return m;
  good_ = Known{x, m};
  good_->point.drop_images();  // shared ones would be updated in another order: measuring must change no bits
  return m;
}

void Run::note_value(double value) {
  loop_.measured_iteration = result_.iterations;
  if (value < loop_.best_value) loop_.best_value = value, loop_.best_iteration = result_.iterations;
  if (std::isfinite(value) || problem_.objective->components() == kUnbounded) return;
  fail(Error(ErrorKind::numerical, names_.objective, "the value is " + std::to_string(value),
             "try a smaller step, look for such values in the data, or check the plugin at a finite point"),
       Status::diverged);
}

/// Once a step: measuring again would draw another random start, and a target that was met might no longer
/// be.
Measurement Run::measured_answer() {
  if (loop_.answer_iteration != result_.iterations) loop_.answer_measurement = measured(algorithm_.answer());
  loop_.answer_iteration = result_.iterations;
  return loop_.answer_measurement;
}

/// Measures the iterate and tells the algorithm, which may then choose another answer.
Measurement Run::look_at_iterate() {
  const bool same = answers_iterate();
  const Measurement m = same ? measured_answer() : measured(algorithm_.iterate());
  algorithm_.measured(m);
  if (const std::string divergence = algorithm_.report().divergence; !divergence.empty())
    fail(Error(ErrorKind::numerical, names_.algorithm, divergence, "take a shorter step"), Status::diverged);
  loop_.looked_iteration = result_.iterations;
  if (!same) loop_.answer_iteration = -1;
  loop_.last_gap = m.gap;
  return m;
}

/// Whether there is a row after `t` steps, the last of which has made its estimate.
bool Run::row_due(Index t) const {
  return settings_.trace.on && (t >= loop_.next_row || (!settings_.trace.every && epoch_over()));
}

/// Within a step; the run's clock does not count it.
void Run::note_estimate(const Element& x, const Element& g) {
  const Index t = result_.iterations + 1;
  if (!row_due(t) && t != settings_.stop.iterations) return;
  double seconds = 0.0;
  loop_.estimator_error = timed(seconds, [&] { return measurer_.estimator_error(x, g); });
  result_.seconds -= seconds;
  result_.measuring_seconds += seconds;
}

void Run::add_row() {
  const Index t = result_.iterations;
  loop_.next_row = t + (settings_.trace.every ? settings_.trace.every : std::max<Index>(1, t / 10));
  const Measurement m = look_at_iterate();
  result_.trace.push_back(row(m, algorithm_.iterate()));
  if (ended_) return;
  if (settings_.on_row && !host([&] { return settings_.on_row(result_.trace.back()); }))
    return end(Status::stopped_by_host);
  if (!answers_iterate()) return;
  if (const Status status = target_met(m); is_target(status)) end(status);
}

TraceRow Run::row(const Measurement& m, const Element& x) const {
  TraceRow r;
  r.iteration = result_.iterations;
  r.epoch = problem_.estimator->epochs();
  r.passes = passes();
  r.seconds = result_.seconds;
  r.value = m.value;
  r.gap = m.gap;
  r.estimator_error = loop_.estimator_error;
  r.rmse_truth = m.rmse_truth;
  r.test_rmse = m.test_rmse;
  r.step = algorithm_.report().weight;
  // The rank itself would cost a decomposition a row; the result has it.
  const Index columns = std::min({x.columns(), x.shape().rows, x.shape().cols});
  r.rank_or_support = columns > 0 ? columns : rank_or_support(x);
  r.counts = result_.counts;
  return r;
}

/// What went wrong first is what is told.
void Run::fail(const Error& error, Status status) {
  if (!in_trouble() || !ended_) end(status);
  if (!result_.failure.empty()) return;
  result_.failure = "after " + std::to_string(result_.iterations) +
                    (result_.iterations == 1 ? " step: " : " steps: ") + error.what();
  result_.failure_kind = error.kind();
}

void Run::finish() {
  result_.epochs = problem_.estimator->epochs();
  if (!started_) return;
  if (!in_trouble()) attempt([&] { last_row(); });
  attempt([&] { result_.answer = algorithm_.answer(); });
  if (!in_trouble()) attempt([&] { result_.measurement = measured_answer(); });
  if (in_trouble()) fall_back();
  attempt([&] { result_.step = algorithm_.report().weight; });
}

/// Measured without a trace too: where there is a choice of answers it may be the one, and the algorithm may find that it
/// diverged.
void Run::last_row() {
  const bool current = !result_.trace.empty() && result_.trace.back().iteration == result_.iterations;
  if (current) return;
  const Measurement m = look_at_iterate();
  if (settings_.trace.on) result_.trace.push_back(row(m, algorithm_.iterate()));
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
  result_.answer = good_->point;
  result_.measurement = good_->measurement;
}

}  // namespace claros
