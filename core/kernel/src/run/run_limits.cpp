// SPDX-License-Identifier: BSD-3-Clause
// Steps and measurements that are given up at an interrupt or at stop.seconds.
#include "run/run.hpp"

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

// Seconds that work goes on after an interrupt or a limit; of a step more, where longer ones were made
// before. A watchdog (watchdog.hpp) waits a little longer, and ends what does not ask.
constexpr double kGraceSeconds = 1.0, kLongerSteps = 1.25;
// Of the time of the run, for the last measurement.
constexpr double kLastShare = 0.1;

}  // namespace

Interruption::Limits Run::limits_of(Work work) const {
  const auto duration = [](double s) {
    return std::chrono::duration_cast<Interruption::Clock::duration>(std::chrono::duration<double>(s));
  };
  const double grace =
      work == Work::step ? std::max(kGraceSeconds, kLongerSteps * longest_step_) : kGraceSeconds;
  Interruption::Limits limits{.interrupt = settings_.interrupt, .grace = duration(grace)};
  const double limit = settings_.stop.seconds;
  constexpr double kForever = 1e9;
  if (!(limit > 0.0 && limit < kForever)) return limits;
  const double end = work == Work::last_measuring
                         ? std::max(limit, waited()) + std::max(kGraceSeconds, kLastShare * waited())
                         : limit + grace;
  limits.deadline = begin_ + duration(end - waited_before_);
  return limits;
}

/// A watchdog leaves it the time that it has.
void Run::expect_last_measurement() {
  constexpr double kMore = 1.5;
  if (settings_.watchdog) settings_.watchdog->expect(kMore * std::max(kGraceSeconds, kLastShare * waited()));
}

/// The run ends, and what it had before stands. One that is over at a budget is interrupted all the same; a
/// target was met.
void Run::given_up(Interrupted::Cause cause) {
  const bool interrupted = cause == Interrupted::Cause::interrupt;
  if (!given_up_ || at_ == Work::step) given_up_ = at_, given_up_for_ = cause;
  if (!ended_ || (interrupted && !in_trouble() && !is_target(result_.status)))
    end(interrupted ? Status::interrupted : Status::seconds);
}

std::string Run::what_was_given_up() const {
  if (!given_up_) return {};
  const std::string at =
      given_up_for_ == Interrupted::Cause::interrupt ? "at the interrupt" : "at stop.seconds";
  if (*given_up_ == Work::step)
    return "the step under way was given up " + at + ": the solution is the last point that was measured";
  const bool known = std::isfinite(result_.measurement.gap) || std::isfinite(result_.measurement.residual);
  return "the last gap check was given up " + at +
         (known ? "" : ": value, but neither gap nor residual, is known");
}

}  // namespace claros
