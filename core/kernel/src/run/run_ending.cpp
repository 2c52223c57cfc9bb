// SPDX-License-Identifier: BSD-3-Clause
// The end of a run: the solution and the measurements that it keeps, in trouble too.
#include "proof/feasibility.hpp"
#include "run/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace claros {

void Fallback::start(const Element& x0) {
  kept_.answer = x0;
  kept_.answer.drop_images();
  watch();
}

void Fallback::watch() {
  const double limit = settings_.stop.seconds, none = std::numeric_limits<double>::infinity();
  if (settings_.watchdog)
    settings_.watchdog->begin(problem_.ledger, settings_.interrupt,
                              limit > 0 ? limit - budgets_.elapsed() : none, [this] { return as_of_now(); });
}

std::unique_lock<std::mutex> Fallback::holding() {
  return settings_.watchdog ? settings_.watchdog->holding() : std::unique_lock<std::mutex>();
}

void Fallback::expect_last(const Element& answer) {
  constexpr double kShareOfRun = 0.1, kMore = 1.5;  // the latter than the last measurement has
  if (!settings_.watchdog) return;
  if (!is_measured_) {
    keep(answer, nullptr);
    settings_.watchdog->expect(kShareOfRun * budgets_.elapsed());
  }
  settings_.watchdog->expect(kMore * budgets_.last_measurement());
}

/// The components are asked before the watchdog is held off.
void Fallback::keep(const Element& x, const Measurement* m) {
  const Index epochs = problem_.estimator->epochs();
  const auto held = holding();
  static_cast<RunNumbers&>(kept_) = result_;
  kept_.epochs = epochs;
  kept_.elapsed_seconds = budgets_.elapsed();
  kept_.answer = x;
  kept_.answer.drop_images();
  if (!m) return;
  kept_.measurement = *m;
  is_measured_ = true;
}

void Fallback::add(TraceRow row) {
  const auto held = holding();
  result_.trace.push_back(std::move(row));
}

/// With the time of now: what has passed since the last measurement is that of steps. On the watchdog's
/// thread, while it holds the run off. No component may be called any more, so whether the point lies in the
/// set is not known.
RunResult Fallback::as_of_now() const {
  RunResult result = kept_;
  result.elapsed_seconds = budgets_.elapsed();
  result.seconds += result.elapsed_seconds - kept_.elapsed_seconds;
  result.trace = result_.trace;
  result.violation = problem_.set ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  return result;
}

/// The run ends, and what it had before stays. A run that is over at a budget is interrupted all the same; a
/// target was met.
void Run::give_up(Interrupted::Cause cause) {
  budgets_.give_up(cause);
  const bool interrupted = cause == Interrupted::Cause::interrupt;
  if (!ending_.over || (interrupted && !ending_.in_trouble() && !is_target(ending_.status)))
    ending_.end(interrupted ? Status::interrupted : Status::seconds);
}

void Run::finish() {
  ending_.finishing = true;
  result_.epochs = problem_.estimator->epochs();
  if (started_) attempt([&] { fallback_.expect_last(algorithm_.answer()); });
  if (budgets_.gave_up_step()) return take_kept();
  if (!started_) return note_end();
  if (!ending_.in_trouble() && !budgets_.gave_up()) attempt([&] { add_last_row(); });
  attempt([&] { result_.answer = algorithm_.answer(); });
  if (takes_held_out())
    attempt([&] { take_held_out(); });
  else if (!ending_.in_trouble())
    attempt([&] { measure_solution(); });
  if (!ending_.in_trouble() && !budgets_.gave_up()) attempt([&] { shorten_solution(); });
  if (ending_.status == Status::diverged || ending_.status == Status::unbounded)
    fall_back_to_best();
  else if (ending_.in_trouble())
    fall_back();
  if (ending_.unsound) {  // the numbers are kept, and prove nothing
    result_.measurement.confirmed = result_.measurement.bounds_minimum = false;
    proof_.withdraw_bound();
  }
  if (!ending_.in_trouble() && !budgets_.gave_up() && settings_.trace.certificate)
    attempt([&] { measuring([&] { result_.eigengap = proof_.eigengap(result_.answer); }); });
  attempt([&] { result_.step = algorithm_.report().weight; });
  note_end();
}

void Run::note_end() {
  result_.status = ending_.status;
  result_.failure = ending_.failure;
  result_.failure_kind = ending_.failure_kind;
  result_.note = budgets_.what_was_given_up(result_.measurement);
  if (!ending_.unattained.empty())
    result_.note = ending_.unattained + " (give a penalty, such as ridge, or leave out these columns)";
  if (result_.note.empty() && ending_.status == Status::stall && !ending_.standstill.empty())
    result_.note = "the run stands still: " + ending_.standstill +
                   ", and the target is not met (name another algorithm, or ask for less)";
  if (result_.note.empty() && takes_held_out())
    result_.note = "the solution is that after " + std::to_string(proof_.held_out().steps) + " of " +
                   std::to_string(result_.iterations) +
                   " steps, of the least error on held-out data: it meets no target";
  proof_.note_numbers();
  result_.elapsed_seconds = budgets_.elapsed();
}

/// Measured without a trace too: if there is a choice of answers it may be the one, and the algorithm may
/// find that it diverged.
void Run::add_last_row() {
  const bool current = !result_.trace.empty() && result_.trace.back().iteration == result_.iterations;
  if (current) return;
  const Measurement m = proof_.of_iterate();
  if (settings_.trace.on) fallback_.add(row(m));
}

void Run::measure_solution() {
  result_.measurement = last_measurement();
  if (!budgets_.gave_up()) result_.measurement = proof_.anew(algorithm_.answer(), result_.measurement);
  if (ending_.status != Status::interrupted && ending_.status != Status::stopped_by_host)
    proof_.judge(result_.measurement, true);
  if (!ending_.in_trouble())
    timed(result_.measuring_seconds, [&] { return proof_.is_sound(result_.measurement); });
}

/// A sum of vertices has a column a step. It is shortened to its leading singular pairs if that costs next to
/// nothing of the gap, and measured there. A sum that is written in a tenth of a second stays.
void Run::shorten_solution() {
  constexpr Index kFew = 200'000;  // numbers
  constexpr double kCost = 0.01, kLeast = 1e-5;
  const Measurement m = result_.measurement;
  const Element& x = result_.answer;
  const bool sum = problem_.linear_oracle && !problem_.penalty && only_low_rank(x) &&
                   ending_.status != Status::interrupted;
  const Index numbers = x.columns() * (x.shape().rows + x.shape().cols);
  if (!sum || !m.confirmed || !(m.gap > 0.0) || m.value == 0.0 || numbers <= kFew) return;
  Element svd = x.detached();
  svd.recompress(0.0);
  const LowRankForm* all = only_low_rank(svd);
  for (double cost = kCost; all && cost >= kLeast; cost *= 0.1) {
    std::vector<double> s = all->weights;
    double tail = cost * std::min(1.0, m.gap / std::abs(m.value)) * std::accumulate(s.begin(), s.end(), 0.0);
    while (s.size() > 1 && (tail -= s.back()) >= 0.0) s.pop_back();
    const Element shorter = Element::low_rank(all->store, s);
    if (set_violation(problem_, names_, shorter) > allowed_outside(problem_, names_)) return;
    const Measurement there = proof_.of(shorter);
    const bool same = !is_target(ending_.status) || proof_.target_met(there) == ending_.status;
    if (!same || !there.confirmed || there.gap > (1.0 + kCost) * m.gap) continue;
    result_.answer = shorter;
    result_.measurement = there;
    return;
  }
}

/// If it is given up, now or before, it has the value alone.
Measurement Run::last_measurement() {
  Measurement m;
  if (!budgets_.gave_up() || proof_.is_solution_measured()) try {
      return proof_.of_solution();
    } catch (const Interrupted& interrupted) {
      give_up(interrupted.cause());
      m.value = proof_.value_measured();
    }
  if (std::isnan(m.value))
    m.value = timed(result_.measuring_seconds, [&] { return proof_.value(algorithm_.answer()); });
  return m;
}

/// A step that failed leaves the algorithm's own solution sound as a rule: finite, and in the set. Else the
/// last point that was measured is taken.
void Run::fall_back() {
  double& value = result_.measurement.value;
  attempt([&] {
    if (all_finite(result_.answer)) value = proof_.value(result_.answer);
  });
  note_violation();
  const bool inside = !(result_.violation > allowed_outside(problem_, names_));
  if (std::isfinite(value) && (inside || !fallback_.is_measured()))
    return attempt([&] { result_.measurement = proof_.of(result_.answer); });
  if (!fallback_.is_measured()) return;
  result_.answer = fallback_.point();
  result_.measurement = fallback_.measurement();
  note_violation();
}

/// A run that diverged has measured better points than its last.
void Run::fall_back_to_best() {
  const Element* best = proof_.best_point();
  if (!best) return fall_back();
  result_.answer = *best;
  attempt([&] { result_.measurement = proof_.of(result_.answer); });
  note_violation();
}

/// A run that ends by its rules, and at no target.
bool Run::takes_held_out() const {
  const Status s = ending_.status;
  return proof_.held_out().is_known() && !budgets_.gave_up() &&
         (s == Status::validation || (Status::iterations <= s && s <= Status::stall));
}

void Run::take_held_out() {
  if (proof_.held_out().steps == result_.iterations) return measure_solution();
  result_.answer = proof_.held_out().point;
  result_.measurement = proof_.of(result_.answer);
  note_violation();
}

/// After a step that was given up, which leaves the algorithm without an iterate.
void Run::take_kept() {
  result_.answer = fallback_.point();
  if (fallback_.is_measured())
    result_.measurement = fallback_.measurement();
  else
    attempt([&] { measuring([&] { result_.measurement.value = proof_.value(result_.answer); }); });
  attempt([&] { result_.violation = set_violation(problem_, names_, result_.answer); });
  note_end();
}

/// Unknown if the set cannot be asked any more.
void Run::note_violation() {
  result_.violation = std::numeric_limits<double>::quiet_NaN();
  attempt([&] { result_.violation = set_violation(problem_, names_, result_.answer); });
}

}  // namespace claros
