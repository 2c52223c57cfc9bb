// SPDX-License-Identifier: BSD-3-Clause
/// @file run.hpp  The run loop: it starts (run_loop.cpp), steps, reports (run_measuring.cpp) and finishes
/// (run_ending.cpp). Four objects decide: Limits, GapChecks, BestPoints and Judgement.
#pragma once

#include "run/best_points.hpp"
#include "run/gap_checks.hpp"
#include "run/judgement.hpp"
#include "run/limits.hpp"
#include "run/measurer.hpp"
#include "run/run_state.hpp"

#include <claros/contain.hpp>
#include <claros/error.hpp>
#include <claros/run/watchdog.hpp>
#include <claros/watch/watched.hpp>

#include <memory>
#include <optional>

namespace claros {

/// Components that no composition has put behind watchers are watched here.
class Run {
 public:
  Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings, const ComponentNames& names);
  RunResult operator()(Element x0);
  /// Throws what the call above would throw, or report as a failure, before its first step.
  void dry(Element x0);

 private:
  using Work = Limits::Work;

  // --- start
  void watch();
  void witness();
  void prepare(Element x0);
  void expect_start_in_domain(const Element& x0);
  void require_snapshots();
  void start(Element x0);
  void measure_start();
  void note_start(const Element& x0);
  void check_end_of_resumed();
  void loop_state(StateVisitor& v);

  // --- step
  void iterate();
  void measure_due();
  void check_budgets();
  bool stalled();
  void note_standing(const Measurement& m);
  void check_targets();
  bool seems_met(double gap);
  bool hinted();
  bool informed() const;
  void guard();
  Status target_met(const Measurement& m) const;
  void end_at_target(Status status, const Measurement& m);
  bool residual_wanted() const { return settings_.stop.residual > 0; }
  bool gap_wanted() const { return settings_.stop.gap > 0 || settings_.stop.relative_gap > 0; }
  bool value_wanted() const { return settings_.stop.value > -std::numeric_limits<double>::infinity(); }
  bool targeted() const { return gap_wanted() || residual_wanted() || value_wanted(); }
  bool solution_is_iterate() { return &algorithm_.iterate() == &algorithm_.answer(); }

  // --- measuring
  Measurement measured(const Element& x);
  Measurement measured_solution();
  Measurement measured_anew(const Element& x, const Measurement& m);
  Measurement measure_iterate();
  bool note_value(double value, const Element& x);
  void judge(const Measurement& m, bool last = false);
  bool sound_solution(const Measurement& m);

  // --- reports
  void add_row();
  void keep(TraceRow row);
  TraceRow chosen_row(const Measurement& m);
  TraceRow row(const Measurement& m, const Element& x) const;
  void note_estimate(const Element& x, const Element& g);
  void report_step();
  void report_progress();
  void checkpoint();

  // --- finish
  void end(Status status) {
    result_.status = status;
    ended_ = true;
  }
  bool in_trouble() const { return is_trouble(result_.status); }
  void fail(const Error& error, Status status);
  void fail(const std::optional<Failure>& failure);
  void give_up(Interrupted::Cause cause);
  void finish();
  void last_row();
  void measure_solution();
  Measurement last_measurement();
  void take_last_measured();
  void fall_back();
  void note_violation();
  void fall_back_to_best();
  void certify_nothing();
  void note_end();

  // --- for the watchdog (run_watched.cpp)
  void be_watched();
  std::unique_lock<std::mutex> holding();
  void alive();
  void expect_first_measurement();
  void note_numbers(Index epochs);
  RunResult as_measured() const;

  /// Work that measures: at the end of the run with a time of its own.
  template <class Call>
  auto measuring(Call&& call) {
    return limits_.limited(finishing_ ? Work::last_measuring : Work::measuring, result_.measuring_seconds,
                           call);
  }

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
        fail(error, Status::failed);
      }
    }
  }

  template <class Call>
  auto host(Call&& call) {
    in_host_ = true;
    const auto answer = call();
    in_host_ = false;
    return answer;
  }

  Problem problem_;
  std::vector<std::shared_ptr<void>> watchers_;
  Algorithm& algorithm_;
  const RunSettings& settings_;
  const ComponentNames names_;
  Sampler sampler_;

  RunResult result_;
  bool started_ = false, ended_ = false, in_host_ = false, finishing_ = false;
  bool unsound_ = false;  // the solution, or what a component says of it
  Measurer measurer_;
  Limits limits_;
  GapChecks checks_;
  BestPoints points_;
  Judgement judgement_;
  LastMeasured last_;
  Standing standing_;
  std::string stands_;  // how the run came to a stand, in words
  RunState state_;
  Measurement iterate_;  // of the iterate after iterate_after_ steps
  Index iterate_after_ = -1;
  RunResult noted_;  // the numbers of the run when points_.last() was measured
  RunClock::time_point last_progress_ = RunClock::now();
  struct {
    RunClock::time_point last = RunClock::now();
    double cost = 0.0, sum = 0.0;  // seconds, of the last one; of all by time
  } checkpoints_;
};

}  // namespace claros
