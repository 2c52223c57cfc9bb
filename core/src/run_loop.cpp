// SPDX-License-Identifier: BSD-3-Clause
#include "measurer.hpp"
#include "run_state.hpp"

#include <claros/error.hpp>
#include <claros/parallel.hpp>
#include <claros/run_loop.hpp>
#include <claros/contain.hpp>
#include <claros/watched.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

namespace claros {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

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

/// One run. The problem that the algorithm sees is the watched one; the measurer sees the bare one.
class Run {
 public:
  Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings, const ComponentNames& names)
      : bare_(problem), watched_(problem), algorithm_(algorithm), settings_(settings), names_(names),
        measurer_(bare_, names_, settings.trace.tolerance),
        sampler_(problem.context.stream(Purpose::sampling), problem.objective->components()),
        state_(bare_, algorithm_, sampler_, result_, loop_) {
    if (settings.on_checkpoint || !settings.resume.empty()) state_.require_savable(names_);
    watch();
  }

  RunResult operator()(Element x0) {
    const ThreadScope scope(settings_.threads);
    result_.answer = x0;
    attempt([&] {
      timed(result_.seconds, [&] {
        bare_.estimator->start(*watched_.objective, sampler_);
        algorithm_.start(watched_, std::move(x0));
      });
      if (!settings_.resume.empty()) state_.load(settings_.resume);
      started_ = true;
      if (settings_.trace.on && settings_.resume.empty()) add_row();
      if (!ended_ && !settings_.resume.empty()) check_budgets();
    });
    while (!ended_) {
      attempt([&] { iterate(); });
      if (result_.status != Status::failed || !ended_) checkpoint(ended_);
    }
    finish();
    return std::move(result_);
  }

 private:
  void watch() {
    auto& counts = result_.counts;
    auto& seconds = result_.component_seconds;
    objective_ = std::make_unique<WatchedObjective>(*bare_.objective, names_.objective, counts, seconds);
    watched_.objective = objective_.get();
    if (bare_.linear_oracle) {
      auto* membership = bare_.set ? query<Membership>(*bare_.set) : nullptr;
      linear_ = std::make_unique<WatchedLinearOracle>(*bare_.linear_oracle, membership, names_.set, counts, seconds);
      watched_.linear_oracle = linear_.get();
    }
    const auto watch_proximal = [&](ProximalOracle* bare, const std::string& name, auto& owner, ProximalOracle*& target) {
      if (!bare) return;
      owner = std::make_unique<WatchedProximalOracle>(*bare, name, counts, seconds);
      target = owner.get();
    };
    watch_proximal(bare_.penalty, names_.penalty, penalty_, watched_.penalty);
    watch_proximal(bare_.projection, names_.set, projection_, watched_.projection);
  }

  void end(Status status) {
    result_.status = status;
    ended_ = true;
  }

  /// Trouble ends the run and keeps the last good iterate; misuse noticed at the start is the caller's to hear.
  template <class Call>
  void attempt(Call&& call) {
    try {
      contain(names_.algorithm, call);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage && !started_) throw;
      result_.failure = error.what();
      result_.failure_kind = error.kind();
      end(Status::failed);
    }
  }

  void iterate() {
    timed(result_.seconds, [&] { algorithm_.step(); });
    ++result_.iterations;
    if (row_due()) add_row();
    if (!ended_) check_targets();
    if (!ended_) check_budgets();
    report_progress();
  }

  double passes() const {
    const Index n = bare_.objective->components();
    return n > 0 ? static_cast<double>(result_.counts.sfo) / static_cast<double>(n) : 0.0;
  }

  void check_budgets() {
    const StopOptions& stop = settings_.stop;
    if (settings_.interrupt && settings_.interrupt->load()) return end(Status::interrupted);
    if (stop.iterations && result_.iterations >= stop.iterations) return end(Status::iterations);
    const bool epoch_over = bare_.estimator->exact() || bare_.estimator->epoch_due();
    if (stop.epochs && epoch_over && bare_.estimator->epochs() >= stop.epochs) return end(Status::epochs);
    if (stop.passes > 0 && passes() >= stop.passes) return end(Status::passes);
    if (stop.seconds > 0 && result_.seconds >= stop.seconds) return end(Status::seconds);
    if (stop.sfo && result_.counts.sfo >= stop.sfo) return end(Status::sfo);
    if (stop.lo && result_.counts.lo >= stop.lo) return end(Status::lo);
    if (stop.stall && result_.iterations - loop_.best_iteration >= stop.stall) return end(Status::stall);
  }

  // --- targets

  bool gap_wanted() const { return settings_.stop.gap > 0 || settings_.stop.relative_gap > 0; }

  Status target_met(const Measurement& m) const {
    const StopOptions& stop = settings_.stop;
    if (m.value <= stop.value) return Status::value;
    const bool certain = m.confirmed && std::isfinite(m.gap);
    if (certain && stop.gap > 0 && m.gap <= stop.gap) return Status::gap;
    if (certain && stop.relative_gap > 0 && m.gap <= stop.relative_gap * std::abs(m.value)) return Status::relative_gap;
    return Status::failed;
  }

  /// Where the steps themselves see the gap on the full gradient, a measurement is made only when it seems met;
  /// elsewhere at the pace of the rows.
  void check_targets() {
    const bool wanted = gap_wanted() || settings_.stop.value > -std::numeric_limits<double>::infinity();
    if (!wanted || result_.iterations < loop_.next_check) return;
    const StepReport report = algorithm_.report();
    const bool hinted = gap_wanted() && report.full_gradient && std::isfinite(report.gap);
    if (hinted && !seems_met(report.gap)) return;
    const Measurement m = timed(result_.measuring_seconds, [&] { return measured(algorithm_.answer()); });
    if (const Status status = target_met(m); is_target(status)) return end(status);
    if (hinted) ++result_.confirmations_failed;
    // A failed confirmation costs a few steps: the next waits for half a percent of the steps so far.
    loop_.next_check = result_.iterations + std::max<Index>(1, hinted ? result_.iterations / 200 : result_.iterations / 10);
  }

  bool seems_met(double gap) {
    const StopOptions& stop = settings_.stop;
    if (stop.gap > 0 && gap <= stop.gap) return true;
    if (!(stop.relative_gap > 0)) return false;
    if (std::isfinite(loop_.last_value) && gap > stop.relative_gap * std::abs(loop_.last_value)) return false;
    loop_.last_value = timed(result_.measuring_seconds, [&] { return measurer_.value(algorithm_.iterate()); });
    return gap <= stop.relative_gap * std::abs(loop_.last_value);
  }

  // --- measuring

  Measurement measured(const Element& x) {
    const Measurement m = measurer_.measure(x);
    loop_.last_value = m.value;
    if (m.confirmed && bare_.objective->constants().convex)
      result_.lower_bound = std::max(result_.lower_bound, m.value - m.gap);
    if (!std::isfinite(m.value) && bare_.objective->components() != kUnbounded) end(Status::diverged);
    if (m.value < loop_.best_value) loop_.best_value = m.value, loop_.best_iteration = result_.iterations;
    return m;
  }

  bool row_due() {
    const Index epoch = bare_.estimator->exact() ? 0 : bare_.estimator->epochs();
    const bool due = result_.iterations >= loop_.next_row || epoch > loop_.rows_epoch;
    loop_.rows_epoch = std::max(loop_.rows_epoch, epoch);
    return settings_.trace.on && due;
  }

  void add_row() {
    const Index t = result_.iterations;
    loop_.next_row = t + (settings_.trace.every ? settings_.trace.every : std::max<Index>(1, t / 10));
    const Measurement m = timed(result_.measuring_seconds, [&] { return measured(algorithm_.iterate()); });
    algorithm_.measured(m);
    loop_.last_gap = m.gap;
    result_.trace.push_back(row(m, algorithm_.iterate()));
    if (settings_.on_row && !settings_.on_row(result_.trace.back())) end(Status::stopped_by_host);
    if (&algorithm_.iterate() == &algorithm_.answer())
      if (const Status status = target_met(m); is_target(status)) end(status);
  }

  TraceRow row(const Measurement& m, const Element& x) const {
    TraceRow r;
    r.iteration = result_.iterations;
    r.epoch = bare_.estimator->epochs();
    r.passes = passes();
    r.seconds = result_.seconds;
    r.value = m.value;
    r.gap = m.gap;
    r.rank_or_support = x.columns();
    r.counts = result_.counts;
    return r;
  }

  void report_progress() {
    if (!settings_.on_progress || seconds_since(last_progress_) < 0.1) return;
    last_progress_ = Clock::now();
    settings_.on_progress({result_.iterations, bare_.estimator->epochs(), result_.seconds, loop_.last_value, loop_.last_gap});
  }

  void checkpoint(bool last) {
    if (!settings_.on_checkpoint) return;
    const bool counted = settings_.checkpoint_every && result_.iterations % settings_.checkpoint_every == 0;
    if (!last && !counted && seconds_since(last_checkpoint_) < settings_.checkpoint_seconds) return;
    timed(result_.measuring_seconds, [&] { settings_.on_checkpoint(state_.save()); });
    last_checkpoint_ = Clock::now();
  }

  void finish() {
    if (!started_) return;
    const Status reason = result_.status;
    attempt([&] {
      result_.answer = algorithm_.answer();
      result_.measurement = timed(result_.measuring_seconds, [&] { return measured(result_.answer); });
      const bool current = !result_.trace.empty() && result_.trace.back().iteration == result_.iterations;
      if (settings_.trace.on && !current) {
        const bool same = &algorithm_.iterate() == &algorithm_.answer();
        result_.trace.push_back(row(same ? result_.measurement : measurer_.measure(algorithm_.iterate()), algorithm_.iterate()));
      }
    });
    if (result_.status != Status::diverged) result_.status = reason;
    if (reason == Status::failed) result_.status = reason;
    result_.epochs = bare_.estimator->epochs();
  }

  Problem bare_, watched_;
  Algorithm& algorithm_;
  const RunSettings& settings_;
  const ComponentNames names_;
  Measurer measurer_;
  Sampler sampler_;
  std::unique_ptr<WatchedObjective> objective_;
  std::unique_ptr<WatchedLinearOracle> linear_;
  std::unique_ptr<WatchedProximalOracle> penalty_, projection_;

  RunResult result_;
  bool started_ = false, ended_ = false;
  LoopState loop_;
  RunState state_;
  Clock::time_point last_checkpoint_ = Clock::now();
  Clock::time_point last_progress_ = Clock::now();
};

}  // namespace

RunResult run(const Problem& problem, Algorithm& algorithm, Element x0, const RunSettings& settings, const ComponentNames& names) {
  std::vector<Complaint> complaints;
  for (MissingPart& missing : missing_parts(problem, algorithm, names)) complaints.push_back(std::move(missing.complaint));
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  return Run(problem, algorithm, settings, names)(std::move(x0));
}

}  // namespace claros
