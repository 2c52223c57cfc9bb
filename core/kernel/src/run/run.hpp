// SPDX-License-Identifier: BSD-3-Clause
/// @file run.hpp  The run loop: it starts, steps and reports (run_loop.cpp), and ends (run_ending.cpp). Its
/// state is saved (run_state.cpp), and a proof says what is known of its points (proof.hpp).
#pragma once

#include "proof/proof.hpp"
#include "run/budgets.hpp"

#include <claros/contain.hpp>
#include <claros/error.hpp>
#include <claros/run/watchdog.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace claros {

/// The whole run as named values.
class RunState {
 public:
  /// `loop` shows the members of the run loop and of its objects.
  RunState(const Problem& problem, Algorithm& algorithm, Sampler& sampler, RunResult& result,
           std::function<void(StateVisitor&)> loop);

  /// Throws Error(usage) naming the component that cannot be saved.
  void require_savable() const;
  void save(const ByteSink& sink);
  void load(std::string_view bytes);
  /// A number of all that steps depend on, the draws included: another one, almost surely, if anything of it
  /// is. 0 if a component cannot be saved.
  std::uint64_t fingerprint() const;

 private:
  void state(StateVisitor& v);

  const Problem& problem_;
  std::vector<Kept> kept_;
  Sampler& sampler_;
  RunResult& result_;
  std::function<void(StateVisitor&)> loop_;
  References references_;
};

/// The run as it was last measured. A run in trouble falls back to it, and a watchdog reports it for a run
/// that never returns. The watchdog reads it, and the trace, from its own thread.
class Fallback {
 public:
  /// All outlive this. `result` has the numbers and the trace of the run so far.
  Fallback(const Problem& problem, const RunSettings& settings, const Budgets& budgets, RunResult& result)
      : problem_(problem), settings_(settings), budgets_(budgets), result_(result) {}
  ~Fallback() {
    if (settings_.watchdog) settings_.watchdog->end();
  }
  Fallback(const Fallback&) = delete;
  Fallback& operator=(const Fallback&) = delete;

  void start(const Element& x0);
  /// Begins the watch, anew when a resumed run knows how much time it has had.
  void watch();
  /// A step or a measurement begins or ends here.
  void alive() {
    if (settings_.watchdog) settings_.watchdog->alive();
  }
  /// The run ends. `answer` is kept if nothing was measured. How long its measurement takes is not known.
  void expect_last(const Element& answer);
  /// Keeps a point and the numbers of now; `m` is null if it was not measured.
  void keep(const Element& x, const Measurement* m);
  void add(TraceRow row);

  bool is_measured() const { return is_measured_; }
  const Element& point() const { return kept_.answer; }
  const Measurement& measurement() const { return kept_.measurement; }

 private:
  std::unique_lock<std::mutex> holding();
  RunResult as_of_now() const;

  const Problem& problem_;
  const RunSettings& settings_;
  const Budgets& budgets_;
  RunResult& result_;
  RunResult kept_;  // without a trace
  bool is_measured_ = false;
};

class Run {
 public:
  Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings, const ComponentNames& names);
  RunResult operator()(Element x0);
  /// Throws what the call above would throw, or report as a failure, before its first step.
  void dry(Element x0);

 private:
  using Work = Budgets::Work;

  // --- start
  void prepare(Element x0);
  void start(Element x0);
  void resume();

  // --- step
  void step();
  void measure_due();
  void go_on();
  void check_budgets();

  // --- rows and reports
  void add_row();
  TraceRow row(const Measurement& m);
  void report_step();
  void report_progress();
  void checkpoint();

  // --- end
  void give_up(Interrupted::Cause cause);
  void finish();
  void add_last_row();
  void measure_solution();
  void shorten_solution();
  Measurement last_measurement();
  void fall_back();
  void fall_back_to_best();
  bool takes_held_out() const;
  void take_held_out();
  void take_kept();
  void note_violation();
  void note_end();

  /// Trouble ends the run and keeps the last good iterate. Usage errors before the first step, and what the
  /// host's callbacks throw, go to the caller.
  template <class Call>
  void attempt(Call&& call) {
    try {
      call();
    } catch (...) {
      if (in_host_) throw;
      try {
        rethrow_contained(names_.algorithm);
      } catch (const Interrupted& interrupted) {
        give_up(interrupted.cause());
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::usage && !started_) throw;
        ending_.fail(error, Status::failed, result_.iterations);
      }
    }
  }

  /// Calls the host; false if it wants the run to end.
  template <class Call>
  bool host(Call&& call) {
    in_host_ = true;
    const bool goes_on = call();
    in_host_ = false;
    return goes_on;
  }

  /// Measures at the end of the run with a time of its own.
  template <class Call>
  void measuring(Call&& call) {
    budgets_.limited(ending_.finishing ? Work::last_measuring : Work::measuring, result_.measuring_seconds,
                     call);
  }

  Problem problem_;
  std::shared_ptr<GradientEstimator> witness_;
  Algorithm& algorithm_;
  const RunSettings& settings_;
  const ComponentNames names_;
  Sampler sampler_;

  RunResult result_;
  Ending ending_;
  bool started_ = false, in_host_ = false;
  Budgets budgets_;
  Proof proof_;
  RunState state_;
  RunClock::time_point last_progress_ = RunClock::now();
  struct {
    RunClock::time_point last = RunClock::now();
    double cost = 0.0, sum = 0.0;  // seconds, of the last one; of all by time
  } checkpoints_;
  Fallback fallback_;
};

}  // namespace claros
