// SPDX-License-Identifier: BSD-3-Clause
// The reports of a run to its watchdog: signs of life, and the numbers of its last measurement.
#include "run/run.hpp"

#include <limits>

namespace claros {

/// From the start, and anew where a resumed run knows how much time it has had.
void Run::be_watched() {
  const double limit = settings_.stop.seconds, none = std::numeric_limits<double>::infinity();
  if (settings_.watchdog)
    settings_.watchdog->begin(problem_.ledger, settings_.interrupt,
                              limit > 0 ? limit - limits_.elapsed() : none, [this] { return as_measured(); });
}

std::unique_lock<std::mutex> Run::holding() {
  return settings_.watchdog ? settings_.watchdog->holding() : std::unique_lock<std::mutex>();
}

void Run::alive() {
  if (settings_.watchdog) settings_.watchdog->alive();
}

/// At the end of a run without a trace: how long it takes is not known, and until then only the solution is.
void Run::expect_first_measurement() {
  constexpr double kShareOfRun = 0.1;
  if (!settings_.watchdog || points_.last()) return;
  const Element& answer = algorithm_.answer();
  const Index epochs = result_.epochs;
  const auto held = holding();
  result_.answer = answer;
  note_numbers(epochs);
  settings_.watchdog->expect(kShareOfRun * limits_.elapsed());
}

/// Beside points_.last(): the watchdog reads these and not result_, which the run changes as it goes.
void Run::note_numbers(Index epochs) {
  const RunResult& r = result_;
  noted_.lower_bound = judgement_.lower_bound(), noted_.step = r.step,
  noted_.residual_scale = r.residual_scale;
  noted_.iterations = r.iterations, noted_.epochs = epochs,
  noted_.confirmations_failed = r.confirmations_failed;
  noted_.seconds = r.seconds, noted_.measuring_seconds = r.measuring_seconds,
  noted_.elapsed_seconds = limits_.elapsed();
  noted_.counts = r.counts, noted_.certification = r.certification,
  noted_.component_seconds = r.component_seconds;
}

/// With the time of now: what has passed since the last measurement is that of steps. On the watchdog's
/// thread, while it holds the run off. No component may be called any more, so whether the
/// point lies in the set is not known.
RunResult Run::as_measured() const {
  RunResult result = noted_;
  result.elapsed_seconds = limits_.elapsed();
  result.seconds += result.elapsed_seconds - noted_.elapsed_seconds;
  result.trace = result_.trace;
  result.answer = points_.last() ? points_.last()->point : result_.answer;
  if (points_.last()) result.measurement = points_.last()->measurement;
  result.violation = problem_.set ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  return result;
}

}  // namespace claros
