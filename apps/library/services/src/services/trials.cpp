// SPDX-License-Identifier: BSD-3-Clause
#include "services/services.hpp"

#include <claros/linear_oracle.hpp>
#include <claros/parameters.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace claros {

namespace {

void add(Counts& sum, const Counts& c) {
  for (const Counter& counter : kCounters) sum.*counter.member += c.*counter.member;
}

void add(Certification& sum, const Certification& c) {
  sum.exact += c.exact;
  sum.certified += c.certified;
  sum.error = std::max(sum.error, c.error);
}

void add(ComponentSeconds& sum, const ComponentSeconds& s) {
  sum.objective += s.objective;
  sum.estimator += s.estimator;
  sum.oracle += s.oracle;
}

/// Runs one trial after the other. A checkpoint holds the last state of every trial that was begun. A trial
/// that had ended ends again at once when it is resumed, with the same result.
class Trials {
 public:
  Trials(const Composition& composition, const RunSettings& settings)
      : composition_(composition), settings_(settings), count_(composition.run.trial_count()) {
    check_trials(composition);
  }

  RunResult operator()() {
    load();
    while (!over()) finish(next());
    return total();
  }

 private:
  Index number() const { return static_cast<Index>(all_.size()); }
  bool stopped() const {
    return all_.back().status == Status::interrupted || all_.back().status == Status::stopped_by_host;
  }
  bool over() const { return number() >= count_ || (!all_.empty() && stopped()); }

  RunResult next() {
    const std::size_t k = all_.size();
    if (states_.size() <= k) states_.emplace_back();
    const Composition trial = composition_.trial(static_cast<std::uint32_t>(k));
    RunSettings settings = settings_;
    settings.resume = states_[k].bytes();
    std::string end;
    if (settings_.on_checkpoint)
      settings.on_checkpoint = [&](const StateStream& state, bool ended) {
        settings_.on_checkpoint([&](const ByteSink& sink) { save(sink, k, state); },
                                ended && number() + 1 == count_);
        if (ended) end = collected(state);
      };
    RunResult result = claros::run_once(trial, settings);
    if (!end.empty()) states_[k].ended = std::move(end);
    return result;
  }

  void finish(RunResult result) {
    const double gap = result.measurement.gap;
    all_.push_back({result.status, result.measurement.value, gap, result.iterations});
    add(counts_, result.counts);
    add(certification_, result.certification);
    add(component_seconds_, result.component_seconds);
    seconds_ += result.seconds;
    measuring_ += result.measuring_seconds;
    elapsed_ += result.elapsed_seconds;
    checkpoints_ += result.checkpoint_seconds;
    work_ += result.work;
    measuring_work_ += result.measuring_work;
    if (!result.failure.empty())
      composition_.context.warn("trial " + std::to_string(number()) + " of " + std::to_string(count_) +
                                " failed " + result.failure);
    const double least = best_ ? best_->measurement.gap : gap;
    // NaN if nothing could be measured: kept only if there is no other.
    if (!best_ || gap < least || (std::isnan(least) && !std::isnan(gap))) best_ = std::move(result);
  }

  RunResult total() {
    RunResult result = *std::move(best_);
    const Index decided = number() * composition_.objective->terms();
    result.counts = counts_;
    result.certification = certification_;
    result.counts.sfo += decided;
    result.counts.sfo_indices += decided;
    result.counts.lo += number();
    result.component_seconds = component_seconds_;
    result.seconds = seconds_;
    result.measuring_seconds = measuring_;
    result.elapsed_seconds = elapsed_;
    result.checkpoint_seconds = checkpoints_;
    result.work = work_;
    result.measuring_work = measuring_work_;
    if (stopped()) result.status = all_.back().status;
    result.trials = std::move(all_);
    return result;
  }

  void save(const ByteSink& sink, std::size_t k, const StateStream& current) {
    const References none;
    StateWriter out(none, sink);
    state(out, k, current);
    out.finish();
  }

  void load() {
    if (settings_.resume.empty()) return;
    const References none;
    StateReader in(settings_.resume, none, "checkpoint");
    state(in, 0, {});
  }

  /// The states of all trials that were begun, that of trial k being `current`.
  void state(StateVisitor& v, std::size_t k, const StateStream& current) {
    auto begun = static_cast<Index>(states_.size());
    v("trials", begun);
    v.require(begun >= 0 && begun <= count_, "trials", "not as many as were asked for");
    states_.resize(static_cast<std::size_t>(begun));
    for (std::size_t j = 0; j < states_.size(); ++j)
      v.archive("trial " + std::to_string(j),
                j == k ? current : StateStream([&](const ByteSink& to) { to(states_[j].bytes()); }),
                states_[j].resumed);
  }

  /// The end of a trial that this process saw, or what the checkpoint holds; empty: only its start.
  struct TrialState {
    std::string ended;
    std::string_view resumed;
    std::string_view bytes() const { return ended.empty() ? resumed : ended; }
  };

  const Composition& composition_;
  const RunSettings& settings_;
  const Index count_;
  std::vector<TrialState> states_;  ///< the states of every trial that was begun
  std::vector<Trial> all_;          ///< those that are over
  std::optional<RunResult> best_;
  Counts counts_;
  Certification certification_;
  ComponentSeconds component_seconds_;
  double seconds_ = 0.0, measuring_ = 0.0, elapsed_ = 0.0, checkpoints_ = 0.0, work_ = 0.0,
         measuring_work_ = 0.0;
};

}  // namespace

void check_trials(const Composition& c) {
  const std::string kept = "the run with the smallest gap is kept, and ";
  const auto complain = [&](const std::string& why, const std::string& remedy) {
    throw Error(ErrorKind::usage, "run.trials", kept + why, remedy + ", or one trial");
  };
  for (const Node* part : c.all_parts())
    if (!part->entry &&
        (part->kind == Kind::algorithm || part->kind == Kind::estimator || part->kind == Kind::set))
      complain(
          "each has a set, a gradient estimator and an algorithm of its "
          "own, which only the catalogue can make",
          "compose these by name");
  if (!c.set || !query<LinearOracle>(*c.set))
    complain("without a set with a linear oracle there is no gap", "give such a set");
  if (c.penalty) complain("with a penalty none is measured", "leave the penalty out");
  if (c.objective->terms() == kUnbounded)
    complain("an expectation hands the same draws, from the first on, to every run",
             "give a finite sum, or runs with other seeds (run.seed)");
}

RunResult run_trials(const Composition& composition, const RunSettings& settings) {
  return Trials(composition, settings)();
}

}  // namespace claros
