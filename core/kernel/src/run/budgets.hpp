// SPDX-License-Identifier: BSD-3-Clause
/// @file budgets.hpp  Budgets: the budgets of a run, its wall time, and the work that is given up at an
/// interrupt or at stop.seconds.
#pragma once

#include <claros/abilities.hpp>
#include <claros/interruption.hpp>
#include <claros/run/run_loop.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

namespace claros {

using RunClock = std::chrono::steady_clock;

inline double seconds_since(RunClock::time_point begin) {
  return std::chrono::duration<double>(RunClock::now() - begin).count();
}

/// Adds the time of a call to `sum`, also when it throws.
template <class Call>
auto timed(double& sum, Call&& call) {
  struct Guard {
    double& sum;
    RunClock::time_point begin = RunClock::now();
    ~Guard() { sum += seconds_since(begin); }
  } guard{sum};
  return call();
}

class Budgets {
 public:
  /// Work that may be given up. After a step that is given up the algorithm cannot continue.
  enum class Work { step, measuring, last_measuring };

  /// All three outlive this. `result` has the numbers of the run so far.
  Budgets(const Problem& problem, const RunSettings& settings, const RunResult& result)
      : problem_(problem), settings_(settings), result_(result) {}

  /// The step budget of the algorithm, once it is started; may be null.
  void set_step_budget(StepBudget* budget) { budget_ = budget; }

  /// Seconds of wall time, those of the runs that this one resumes included.
  double elapsed() const { return elapsed_before_ + seconds_since(begin_); }
  /// The smaller of stop.iterations and the number that the algorithm's theory asks for; 0: none.
  Index most_steps() const;
  double passes() const;
  bool epoch_over() const;
  bool time_is_up() const;
  /// The first budget that is used up.
  std::optional<Status> reached() const;

  /// Calls `call`, which polls Interruption, under the limits of `work`; its time is added to `seconds`.
  template <class Call>
  auto limited(Work work, double& seconds, Call&& call) {
    const Interruption scope(limits_of(work));
    at_ = work;
    return timed(seconds, call);
  }
  void note_step(double seconds) { longest_step_ = std::max(longest_step_, seconds); }
  void note_measurement(double seconds) { last_measuring_ = seconds; }
  /// Seconds that a watchdog leaves the last measurement of the run.
  double last_measurement() const;

  /// The work under way.
  void give_up(Interrupted::Cause cause);
  bool gave_up() const { return given_up_.has_value(); }
  bool gave_up_step() const { return given_up_ == Work::step; }
  /// Names the work that was given up; `m` is the measurement of the solution.
  std::string what_was_given_up(const Measurement& m) const;

  void state(StateVisitor& v);

 private:
  Interruption::Limits limits_of(Work work) const;

  const Problem& problem_;
  const RunSettings& settings_;
  const RunResult& result_;
  StepBudget* budget_ = nullptr;
  const RunClock::time_point begin_ = RunClock::now();
  // Seconds, of the runs that this one resumes; a watchdog reads it.
  std::atomic<double> elapsed_before_ = 0.0;
  double longest_step_ = 0.0;     // seconds
  double last_measuring_ = 0.0;   // seconds, of one measurement
  Work at_ = Work::step;          // what the run does, or did last
  std::optional<Work> given_up_;  // for given_up_for_
  Interrupted::Cause given_up_for_ = Interrupted::Cause::interrupt;
};

}  // namespace claros
