// SPDX-License-Identifier: BSD-3-Clause
/// @file run.hpp  One run: the loop and its stopping rules (run_loop.cpp), what it measures
/// (run_measuring.cpp), judges (run_judging.cpp) and keeps at its end (run_ending.cpp).
#pragma once

#include "run/measurer.hpp"
#include "run/run_state.hpp"

#include <claros/contain.hpp>
#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/run/dry_start.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/run/snapshot_plan.hpp>
#include <claros/run/step_budget.hpp>
#include <claros/run/watchdog.hpp>
#include <claros/watch/watched.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace claros {

/// Components that no composition has put behind watchers are watched here.
class Run {
 public:
  Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings, const ComponentNames& names);
  RunResult operator()(Element x0);
  /// Throws what the call above would throw, or tell as a failure, before its first step.
  void dry(Element x0);

 private:
  using Clock = std::chrono::steady_clock;

  /// The ledger counts into the result as long as this lives.
  class Counting {
   public:
    Counting(Ledger& ledger, RunResult& result, bool certify) : ledger_(ledger) {
      ledger.counts = &result.counts, ledger.seconds = &result.component_seconds;
      ledger.certification = &result.certification, ledger.certify = certify;
    }
    ~Counting() {
      ledger_.counts = nullptr, ledger_.seconds = nullptr, ledger_.certification = nullptr,
      ledger_.certify = false;
    }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

   private:
    Ledger& ledger_;
  };

  /// The watchdog looks at the run no longer.
  class Unwatching {
   public:
    explicit Unwatching(Watchdog* watchdog) : watchdog_(watchdog) {}
    ~Unwatching() {
      if (watchdog_) watchdog_->end();
    }
    Unwatching(const Unwatching&) = delete;
    Unwatching& operator=(const Unwatching&) = delete;

   private:
    Watchdog* watchdog_;
  };

  /// A point and what is known of it.
  struct Known {
    Element point;
    Measurement measurement;
  };

  // --- the loop
  void watch();
  void witness();
  void begin(Element x0);
  Element into_domain(Element x0) const;
  void start(Element x0);
  void require_snapshots();
  void expect_start_in_domain(const Element& x0);
  void look_at_start();
  void check_end_of_resumed();
  void iterate();
  void look_around();
  void check_budgets();
  bool stalled();
  double work() const;
  void space_looks(bool hinted);
  double patience(bool hinted) const;
  void check_targets();
  bool seems_met(double gap);
  bool residual_wanted() const { return settings_.stop.residual > 0; }
  bool gap_wanted() const { return settings_.stop.gap > 0 || settings_.stop.relative_gap > 0; }
  bool value_wanted() const { return settings_.stop.value > -std::numeric_limits<double>::infinity(); }
  Status target_met(const Measurement& m) const;
  double passes() const;
  /// Of a limit and of what the algorithm's theory asks for the smaller; 0: none.
  Index most_steps() const;
  double waited() const { return waited_before_ + seconds_since(begin_); }
  bool time_is_up() const;
  double components() const;
  void report_step();
  void report_progress();
  void checkpoint();

  // --- measuring
  Measurement measured(const Element& x);
  Measurement measured_answer();
  bool sound_answer(const Measurement& m);
  bool gap_is_sound(const Measurement& m);
  void note_bound(const Measurement& m);
  void judge_bound(const Measurement& m, const Element& x);
  void warn_below_rounding(const Measurement& m);
  Measurement look_at_iterate();
  bool informed() const;
  bool hinted();
  bool note_value(double value, const Element& x);
  void note_start(const Element& x0);
  void guard();
  void judge(const Measurement& m, bool last = false);
  bool far_above(double value, bool last);
  bool bounded_below() const;
  void end_at_target(Status status, const Measurement& m);
  bool steps_have_length() const;
  bool may_measure() const;
  bool affordable() const;
  double multiplications_left(double share) const;
  bool answers_iterate() { return &algorithm_.iterate() == &algorithm_.answer(); }
  bool epoch_over() const { return !problem_.estimator->exact() && problem_.estimator->epoch_due(); }
  bool row_due(Index t) const;
  void note_estimate(const Element& x, const Element& g);
  void add_row();
  void keep(TraceRow row);
  TraceRow chosen_row(const Measurement& m);
  TraceRow row(const Measurement& m, const Element& x) const;

  // --- the end
  void end(Status status) {
    result_.status = status;
    ended_ = true;
  }
  bool in_trouble() const { return is_trouble(result_.status); }
  void fail(const Error& error, Status status);
  void finish();
  void measure_answer();
  Measurement last_measurement();
  void take_last_measured();
  void note_end();
  void last_row();
  void fall_back();
  void fall_back_to_best();
  void certify_nothing();

  // --- interrupts and limits within steps and measuring (run_limits.cpp)
  /// Work that may be given up. A step leaves the algorithm where nothing goes on from.
  enum class Work { step, measuring, last_measuring };
  Interruption::Limits limits_of(Work work) const;
  void expect_last_measurement();
  void given_up(Interrupted::Cause cause);
  std::string what_was_given_up() const;
  template <class Call>
  auto limited(Work work, double& seconds, Call&& call) {
    const Interruption scope(limits_of(work));
    at_ = work;
    return timed(seconds, call);
  }
  /// What measures: at the end of the run with a time of its own.
  template <class Call>
  auto measuring(Call&& call) {
    return limited(finishing_ ? Work::last_measuring : Work::measuring, result_.measuring_seconds, call);
  }

  // --- for the watchdog (run_watched.cpp)
  void be_watched();
  std::unique_lock<std::mutex> holding();
  void alive();
  void expect_first_measurement();
  void note_numbers(Index epochs);
  RunResult as_measured() const;

  /// Trouble ends the run and keeps the last good iterate; misuse noticed at the start is the caller's to
  /// hear, and so is what the host's callbacks throw.
  template <class Call>
  void attempt(Call&& call) {
    try {
      call();
    } catch (...) {
      if (in_host_) throw;
      try {
        rethrow_contained(names_.algorithm);
      } catch (const Interrupted& interrupted) {
        given_up(interrupted.cause());
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

  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// Adds the time of a call to `sum`, also when it throws.
  template <class Call>
  auto timed(double& sum, Call&& call) {
    struct Guard {
      double& sum;
      Clock::time_point begin = Clock::now();
      ~Guard() { sum += seconds_since(begin); }
    } guard{sum};
    return call();
  }

  Problem problem_;
  std::vector<std::shared_ptr<void>> watchers_;
  Algorithm& algorithm_;
  StepBudget* budget_ = nullptr;  // of algorithm_, once started
  const RunSettings& settings_;
  const ComponentNames names_;
  Sampler sampler_;

  RunResult result_;
  bool started_ = false, ended_ = false, in_host_ = false, finishing_ = false;
  Work at_ = Work::step;          // what the run does, or did last
  std::optional<Work> given_up_;  // for given_up_for_
  Interrupted::Cause given_up_for_ = Interrupted::Cause::interrupt;
  double longest_step_ = 0.0;  // seconds
  LoopState loop_;
  Measurer measurer_;
  RunState state_;
  std::optional<Known> good_;  // the last measured point of finite value
  RunResult noted_;            // the numbers of the run when good_ was measured
  bool unsound_ = false;       // the answer, or what a component says of it
  Element start_;              // without images
  bool warned_ = false;        // that the gap asked for is smaller than its error
  double coordinates_ = 1.0;   // of the variable
  double blocks_ = 1.0;        // of the set, where it is a product
  Measurement seen_;           // of the iterate after seen_iteration_ steps
  Index seen_iteration_ = -1;
  const bool may_diverge_;       // the best point is kept
  double waited_before_ = 0.0;   // in the runs that this one resumes
  double last_measuring_ = 0.0;  // of one measurement
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_progress_ = Clock::now(), last_checkpoint_ = Clock::now();
  double checkpoint_cost_ = 0.0, checkpoint_sum_ = 0.0;  // seconds, of the last one; of all by time
};

}  // namespace claros
