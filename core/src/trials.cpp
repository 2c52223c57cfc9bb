// SPDX-License-Identifier: BSD-3-Clause
#include <claros/composition.hpp>
#include <claros/state.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

namespace claros {

namespace {

void add(Counts& sum, const Counts& c) {
  sum.sfo += c.sfo, sum.sfo_indices += c.sfo_indices, sum.sso += c.sso,
      sum.hessian_products += c.hessian_products;
  sum.lo += c.lo, sum.po += c.po, sum.svd += c.svd, sum.matvec += c.matvec;
}

/// Runs one trial after the other. A checkpoint holds the state of the trial that runs and, of those before
/// it, the last state: a finished run that is resumed ends at once, with the same result.
class Trials {
 public:
  Trials(const Composition& composition, const RunSettings& settings)
      : composition_(composition), settings_(settings), count_(composition.run.trials) {
    if (!composition.set || !query<LinearOracle>(*composition.set))
      throw Error(
          ErrorKind::usage, "run.trials",
          "the run with the smallest gap is kept, and without a set with a linear oracle there is no gap",
          "give such a set, or one trial");
  }

  RunResult operator()() {
    load();
    std::string current = std::exchange(resumed_, {});
    for (const std::string& last : std::exchange(finished_, {})) finish(one(last));
    while (!over()) finish(one(std::exchange(current, {})));
    return total();
  }

 private:
  Index number() const { return static_cast<Index>(all_.size()); }
  bool over() const {
    return number() >= count_ || (!all_.empty() && (all_.back().status == Status::interrupted ||
                                                    all_.back().status == Status::stopped_by_host));
  }

  RunResult one(const std::string& state) {
    const Composition trial = composition_.trial(static_cast<std::uint32_t>(number()));
    RunSettings settings = settings_;
    settings.resume = state;
    last_ = state;
    if (settings_.on_checkpoint)
      settings.on_checkpoint = [this](const std::string& bytes) {
        last_ = bytes;
        settings_.on_checkpoint(saved());
      };
    return claros::run(trial.problem(), *trial.algorithm, trial.start_point(), settings, trial.names);
  }

  void finish(RunResult result) {
    all_.push_back({result.status, result.measurement.value, result.measurement.gap, result.iterations});
    finished_.push_back(last_);
    add(counts_, result.counts);
    seconds_ += result.seconds, measuring_ += result.measuring_seconds;
    const bool better = best_.trials.empty() || !(best_.measurement.gap <= result.measurement.gap);
    if (!better || (std::isnan(result.measurement.gap) && !best_.trials.empty())) return;
    best_ = std::move(result);
    best_.trials.resize(1);
  }

  RunResult total() {
    best_.trials = all_;
    best_.counts = counts_;
    const Index n = composition_.objective->components();
    const Index decided = number() * (n == kUnbounded ? 0 : n);
    best_.counts.sfo += decided, best_.counts.sfo_indices += decided, best_.counts.lo += number();
    best_.seconds = seconds_, best_.measuring_seconds = measuring_;
    if (all_.back().status == Status::interrupted) best_.status = Status::interrupted;
    return std::move(best_);
  }

  std::string saved() const {
    StateWriter out{References{}};
    out.put("finished", static_cast<Index>(finished_.size()));
    for (std::size_t k = 0; k < finished_.size(); ++k) out.put("trial " + std::to_string(k), finished_[k]);
    out.put("current", last_);
    return out.bytes();
  }

  void load() {
    if (settings_.resume.empty()) return;
    const References none;
    StateReader in(settings_.resume, none, "checkpoint");
    Index finished = 0;
    in.get("finished", finished);
    finished_.resize(static_cast<std::size_t>(finished));
    for (std::size_t k = 0; k < finished_.size(); ++k) in.get("trial " + std::to_string(k), finished_[k]);
    in.get("current", resumed_);
  }

  const Composition& composition_;
  const RunSettings& settings_;
  const Index count_;
  std::vector<Trial> all_;
  std::vector<std::string> finished_;  ///< the last state of every trial that is over
  std::string last_, resumed_;
  RunResult best_;
  Counts counts_;
  double seconds_ = 0.0, measuring_ = 0.0;
};

}  // namespace

RunSettings run_settings(const Composition& composition) {
  RunSettings settings;
  settings.stop = composition.stop;
  settings.trace = composition.trace;
  settings.threads = static_cast<int>(composition.run.threads);
  return settings;
}

RunResult run(const Composition& c, const RunSettings& settings) {
  if (c.run.trials > 1) return Trials(c, settings)();
  return run(c.problem(), *c.algorithm, c.start_point(), settings, c.names);
}

}  // namespace claros
