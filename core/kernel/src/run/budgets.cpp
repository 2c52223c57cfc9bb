// SPDX-License-Identifier: BSD-3-Clause
#include "run/budgets.hpp"

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

// Seconds that work continues after an interrupt or a limit; of a step more, where longer ones were made
// before. A watchdog (watchdog.hpp) waits a little longer, and ends what does not poll.
constexpr double kGraceSeconds = 1.0, kLongerSteps = 1.25;
// The share of the run's time that the last measurement may take.
constexpr double kLastShare = 0.1;

}  // namespace

Index Budgets::most_steps() const {
  const Index limit = settings_.stop.iterations, budget = budget_ ? budget_->step_budget() : 0;
  return limit && budget ? std::min(limit, budget) : std::max(limit, budget);
}

double Budgets::passes() const { return claros::passes(result_.counts, problem_.objective->terms()); }

bool Budgets::epoch_over() const { return !problem_.estimator->exact() && problem_.estimator->epoch_due(); }

/// The measurement at the end counts, as far as it leaves half of the time to the steps.
bool Budgets::time_is_up() const {
  const double limit = settings_.stop.seconds;
  return limit > 0 && elapsed() + std::min(last_measuring_, 0.5 * limit) >= limit;
}

std::optional<Status> Budgets::reached() const {
  const StopOptions& stop = settings_.stop;
  if (settings_.interrupt && settings_.interrupt->load()) return Status::interrupted;
  if (const Index most = most_steps(); most && result_.iterations >= most) return Status::iterations;
  if (stop.epochs && (problem_.estimator->exact() || epoch_over()) &&
      problem_.estimator->epochs() >= stop.epochs)
    return Status::epochs;
  if (stop.passes > 0 && passes() >= stop.passes) return Status::passes;
  if (time_is_up()) return Status::seconds;
  if (stop.sfo && result_.counts.sfo >= stop.sfo) return Status::sfo;
  if (stop.lo && result_.counts.lo >= stop.lo) return Status::lo;
  return {};
}

Interruption::Limits Budgets::limits_of(Work work) const {
  const auto duration = [](double s) {
    return std::chrono::duration_cast<Interruption::Clock::duration>(std::chrono::duration<double>(s));
  };
  const double grace =
      work == Work::step ? std::max(kGraceSeconds, kLongerSteps * longest_step_) : kGraceSeconds;
  Interruption::Limits limits{.interrupt = settings_.interrupt, .grace = duration(grace)};
  const double limit = settings_.stop.seconds;
  constexpr double kForever = 1e9;
  if (!(limit > 0.0 && limit < kForever)) return limits;
  const double end =
      work == Work::last_measuring ? std::max(limit, elapsed()) + last_measurement() : limit + grace;
  limits.deadline = begin_ + duration(end - elapsed_before_);
  return limits;
}

double Budgets::last_measurement() const { return std::max(kGraceSeconds, kLastShare * elapsed()); }

void Budgets::give_up(Interrupted::Cause cause) {
  if (!given_up_ || at_ == Work::step) given_up_ = at_, given_up_for_ = cause;
}

std::string Budgets::what_was_given_up(const Measurement& m) const {
  if (!given_up_) return {};
  const std::string at =
      given_up_for_ == Interrupted::Cause::interrupt ? "at the interrupt" : "at stop.seconds";
  if (*given_up_ == Work::step)
    return "the step under way was given up " + at + ": the solution is the last point that was measured";
  const bool known = std::isfinite(m.gap) || std::isfinite(m.residual);
  return "the last gap check was given up " + at +
         (known ? "" : ": value, but neither gap nor residual, is known");
}

void Budgets::state(StateVisitor& v) {
  double seconds = elapsed();
  v("elapsed seconds", seconds);
  if (v.loading()) elapsed_before_ = seconds;
}

}  // namespace claros
