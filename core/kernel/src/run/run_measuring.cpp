// SPDX-License-Identifier: BSD-3-Clause
// The measurements of a run on its way, and its reports.
#include "map/spectral_work.hpp"
#include "run/run.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

Measurement Run::measured(const Element& x) {
  alive();
  const double spectral = detail::spectral_work(), before = result_.measuring_seconds;
  const double left = checks_.multiplications_left(finishing_);
  Measurement m = measuring([&] {
    return measurer_.measure(x, left, problem_.subgradient ? algorithm_.penalty_subgradient() : nullptr);
  });
  limits_.note_measurement(result_.measuring_seconds - before);
  checks_.add_measurement(informed() && algorithm_.report().gradient_at == &x,
                          detail::spectral_work() - spectral);
  result_.residual_scale = measurer_.residual_scale();
  if (&x == &algorithm_.iterate()) iterate_ = m, iterate_after_ = result_.iterations;
  last_.value = m.value;
  alive();
  if (!note_value(m.value, x)) return m;
  judgement_.note_bound(m);
  if (!ended_) fail(judgement_.of_bound(m, x));
  if (!unsound_) measuring([&] { judgement_.lower_gap(m, x); });
  const bool of_iterate = &x == &algorithm_.iterate();
  if (of_iterate) iterate_ = m;
  const bool hopeless = !ended_ && judgement_.below_rounding(m, result_.iterations);
  if (hopeless && !value_wanted() && !residual_wanted()) end(Status::rounding);
  if (of_iterate && !is_target(target_met(m))) note_standing(m);
  points_.note(x, m);
  const Index epochs = problem_.estimator->epochs();
  const auto held = holding();
  points_.keep_last(x, m);
  note_numbers(epochs);
  return m;
}

/// True if the value of x is finite. An expectation that is not measured has no known value.
bool Run::note_value(double value, const Element& x) {
  last_.value_after = result_.iterations;
  points_.note_value(value, measurer_.rounding(), result_.iterations);
  judgement_.note_value(value);
  if (!std::isfinite(value) && measurer_.measures())
    fail(judgement_.of_infinite(value, x, result_.iterations));
  return std::isfinite(value);
}

void Run::judge(const Measurement& m, bool last) {
  if (!ended_ || last) fail(judgement_.of_growth(m, result_.iterations, last));
}

/// Asked before a run ends well. A start outside the set is not a solution yet.
bool Run::sound_solution(const Measurement& m) {
  auto failure = timed(result_.measuring_seconds,
                       [&] { return judgement_.of_solution(algorithm_.answer(), result_.violation); });
  if (failure && result_.iterations == 0 && !ended_) return false;
  if (!failure) failure = judgement_.of_gap(m);
  fail(failure);
  return !failure;
}

/// Once a step: measured again, from another random start, a target that was met might no longer be.
Measurement Run::measured_solution() {
  if (last_.solution_after != result_.iterations) {
    const Element& x = algorithm_.answer();
    last_.solution = measured(x);
    if (!ended_ && is_target(target_met(last_.solution))) last_.solution = measured_anew(x, last_.solution);
  }
  last_.solution_after = result_.iterations;
  return last_.solution;
}

/// Before a run ends by it, the value is made from the point itself. If it is another value, the images of
/// the point have drifted from it over the steps. They are made again, and everything is measured once more.
Measurement Run::measured_anew(const Element& x, const Measurement& m) {
  constexpr double kDrift = 1e-10;
  if (!measurer_.measures() || !std::isfinite(m.value) || !x.has_images()) return m;
  Element plain(x);
  plain.drop_images();
  const double value = measuring([&] { return measurer_.value(plain); });
  if (std::abs(value - m.value) <= kDrift * std::abs(value)) return m;
  x.forget_images();
  return measured(x);
}

/// Measures the iterate and tells the algorithm, which may then choose another solution.
Measurement Run::measure_iterate() {
  const bool same = solution_is_iterate();
  const Measurement m = same ? measured_solution() : measured(algorithm_.iterate());
  algorithm_.measured(m);
  if (const std::string divergence = algorithm_.report().divergence; !divergence.empty())
    fail(Error(ErrorKind::numerical, names_.algorithm, divergence, "take a shorter step"), Status::diverged);
  judge(m);
  last_.iterate_after = result_.iterations;
  if (!same) last_.solution_after = -1;
  last_.gap = m.gap;
  last_.residual = m.residual;
  return m;
}

/// Within a step; the run's clock does not count it.
void Run::note_estimate(const Element& x, const Element& g) {
  const Index t = result_.iterations + 1;
  if (!checks_.row_due(t) && t != limits_.most_steps()) return;
  double seconds = 0.0;
  last_.estimator_error = timed(seconds, [&] { return measurer_.estimator_error(x, g); });
  result_.seconds -= seconds;
  result_.measuring_seconds += seconds;
}

void Run::add_row() {
  checks_.made_row();
  const Measurement m = measure_iterate();
  keep(chosen_row(m));
  if (ended_) return;
  if (settings_.on_row && !host([&] { return settings_.on_row(result_.trace.back()); }))
    return end(Status::stopped_by_host);
  if (!solution_is_iterate()) return;
  if (const Status status = target_met(m); is_target(status)) end_at_target(status, m);
}

void Run::keep(TraceRow row) {
  const auto held = holding();
  result_.trace.push_back(std::move(row));
}

/// The row for the point that the trace is to follow; `m` was measured at the iterate.
TraceRow Run::chosen_row(const Measurement& m) {
  const bool of_answer = settings_.trace.point == "answer" && !solution_is_iterate();
  return of_answer ? row(measured_solution(), algorithm_.answer()) : row(m, algorithm_.iterate());
}

TraceRow Run::row(const Measurement& m, const Element& x) const {
  TraceRow r;
  r.iteration = result_.iterations;
  r.epoch = problem_.estimator->epochs();
  r.passes = limits_.passes();
  r.seconds = result_.seconds;
  r.value = m.value;
  r.gap = m.gap;
  r.residual = m.residual;
  r.unsmoothed = m.unsmoothed;
  r.estimator_error = last_.estimator_error;
  r.rmse_truth = m.rmse_truth;
  r.test_rmse = m.test_rmse;
  r.step = algorithm_.report().weight;
  // The rank itself would cost a decomposition a row; the result has it.
  const Index columns = std::min({x.columns(), x.shape().rows, x.shape().cols});
  r.rank_or_support = columns > 0 ? columns : rank_or_support(x);
  const Certification& c = result_.certification;
  r.rank_asked = c.asked, r.rank_needed = c.needed;
  if ((settings_.trace.certificate || c.exact > 0) && result_.counts.po > 0)
    r.certified = static_cast<double>(c.exact) / static_cast<double>(result_.counts.po);
  if (settings_.trace.certificate && result_.counts.po > 0) r.certificate_error = c.error;
  r.counts = result_.counts;
  return r;
}

/// Last of all, so that everything measured at this iterate is known.
void Run::report_step() {
  if (!settings_.on_step || (ended_ && in_trouble())) return;
  Step step(algorithm_.iterate(), result_.iterations);
  step.epoch = problem_.estimator->epochs();
  step.seconds = result_.seconds;
  if (iterate_after_ == result_.iterations) {
    step.value = iterate_.value;
    step.gap = iterate_.gap;
    step.residual = iterate_.residual;
  }
  if (!host([&] { return settings_.on_step(step); }) && !ended_) end(Status::stopped_by_host);
}

void Run::report_progress() {
  if (!settings_.on_progress || seconds_since(last_progress_) < 0.1) return;
  last_progress_ = RunClock::now();
  const Progress progress{result_.iterations, problem_.estimator->epochs(),
                          result_.seconds,    last_.value,
                          last_.gap,          last_.residual};
  host([&] {
    settings_.on_progress(progress);
    return true;
  });
}

/// By time, by steps, and when the run has ended well. By time, as long as all of them together stay below
/// kCheckpointShare of what has passed, were the next to cost what the last did.
void Run::checkpoint() {
  if (!settings_.on_checkpoint || (ended_ && in_trouble()) || limits_.gave_up_step()) return;
  const bool counted = settings_.checkpoint_every && result_.iterations % settings_.checkpoint_every == 0;
  const bool due = seconds_since(checkpoints_.last) >= settings_.checkpoint_seconds &&
                   checkpoints_.sum + checkpoints_.cost <= kCheckpointShare * limits_.elapsed();
  if (!ended_ && !counted && !due) return;
  const auto begin = RunClock::now();
  host([&] {
    settings_.on_checkpoint([this](const ByteSink& sink) { state_.save(sink); }, ended_);
    return true;
  });
  checkpoints_.last = RunClock::now();
  checkpoints_.cost = seconds_since(begin);
  result_.checkpoint_seconds += checkpoints_.cost;
  if (!counted) checkpoints_.sum += checkpoints_.cost;
}

}  // namespace claros
