// SPDX-License-Identifier: BSD-3-Clause
// Several independent runs, of which the one with the smallest gap is kept (Shen et al. 2019, Remark 3.1).
#include <atomic>
#include <map>

#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& tried_problem() {
  static const SmallProblem made(801, 18, 14, 2, 150);
  return made;
}

Words sampling_trials(const Words& more = {}) {
  return tried_problem().words(
      8.0, Words{"algorithm.weight=0.1", "run.seed=5", "stop.iterations=12"} + small_batches("svrg") + more);
}

/// The full gradient and a target that every trial meets, each after other steps.
Words to_target(const Words& more = {}) {
  return tried_problem().words(
      8.0, Words{"run.seed=5", "stop.relative_gap=0.05", "stop.iterations=2000", "algorithm.output=uniform"} +
               more);
}

Composition composed(const Words& words) { return compose(build_catalog(), spec_of(words)); }

RunResult alone(const Composition& c, std::uint32_t number) {
  const Composition trial = c.trial(number);
  return run(trial.problem(), *trial.algorithm, trial.start_point(), run_settings(trial), trial.names);
}

/// Runs three trials and is interrupted after `rows` rows of the second.
Saved interrupted(const Words& words, int rows) {
  std::atomic<bool> interrupt = false;
  int starts = 0, seen = 0;
  Saved saved;
  saved.result = solve(words, [&](RunSettings& s) {
    s.interrupt = &interrupt;
    s.checkpoint_every = 1;
    s.on_checkpoint = [&](const StateStream& state, bool) { saved.states.push_back(collected(state)); };
    s.on_row = [&](const TraceRow& row) {
      starts += row.iteration == 0;
      seen += starts == 2;
      if (seen == rows) interrupt = true;
      return true;
    };
  });
  return saved;
}

}  // namespace

TEST_CASE("trials: the result is the one of smallest gap of the runs made one by one, with the work of all") {
  const Composition c = composed(sampling_trials({"run.trials=5"}));
  const RunResult result = run_composition(c);
  REQUIRE(result.trials.size() == 5);
  std::vector<RunResult> each;
  for (std::uint32_t k = 0; k < 5; ++k) each.push_back(alone(c, k));
  std::size_t best = 0;
  Counts counts;
  for (std::size_t k = 0; k < 5; ++k) {
    if (each[k].measurement.gap < each[best].measurement.gap) best = k;
    counts.sfo += each[k].counts.sfo + tried_problem().n();
    counts.sfo_indices += each[k].counts.sfo_indices + tried_problem().n();
    counts.lo += each[k].counts.lo + 1;
    counts.svd += each[k].counts.svd;
    counts.matvec += each[k].counts.matvec;
    CHECK(result.trials[k].gap == each[k].measurement.gap);
    CHECK(result.trials[k].value == each[k].measurement.value);
    CHECK(result.trials[k].iterations == each[k].iterations);
    CHECK(text(result.trials[k].status) == text(each[k].status));
    for (std::size_t j = 0; j < k; ++j) CHECK_FALSE(same_bits(each[j].answer, each[k].answer));
  }
  CHECK(best > 0);  // of this seed, so that keeping the first would not do
  CHECK(same_bits(result.answer, each[best].answer));
  CHECK(timeless(result.trace) == timeless(each[best].trace));
  CHECK(result.measurement.gap == each[best].measurement.gap);
  CHECK(result.counts == counts);
  CHECK(result.component_seconds.objective + result.component_seconds.estimator +
            result.component_seconds.oracle <=
        result.seconds);
}

TEST_CASE("trials: on one objective, with a set, an estimator and an algorithm of their own") {
  const Composition c = composed(sampling_trials({"run.trials=2"})), other = c.trial(1);
  CHECK(other.objective == c.objective);
  CHECK(other.set != c.set);
  CHECK(other.estimator != c.estimator);
  CHECK(other.algorithm != c.algorithm);
  CHECK(other.effective.text() == c.effective.text());
}

TEST_CASE("trials: one is the plain run, bit for bit; the same seed is the same result") {
  const RunResult plain = solve(sampling_trials());
  CHECK(plain.trials.empty());
  check_same(solve(sampling_trials({"run.trials=1"})), plain);
  const RunResult first = alone(composed(sampling_trials({"run.trials=3"})), 0);
  CHECK(timeless(first.trace) == timeless(plain.trace));
  CHECK(same_bits(first.answer, plain.answer));
  const RunResult three = solve(sampling_trials({"run.trials=3"}));
  check_same(solve(sampling_trials({"run.trials=3", "run.threads=3"})), three);
  CHECK_FALSE(same_bits(solve(sampling_trials({"run.trials=3", "run.seed=6"})).answer, three.answer));
}

TEST_CASE("trials: more of them never end with a larger gap") {
  double last = std::numeric_limits<double>::infinity();
  for (const std::string trials : {"1", "2", "4", "8"}) {
    const double gap = solve(sampling_trials({"run.trials=" + trials})).measurement.gap;
    CHECK(gap <= last);
    last = gap;
  }
}

TEST_CASE("trials: a failure probability stands for ceil(log2(1/delta)) of them") {
  for (const auto& [delta, k] : std::map<std::string, Index>{
           {"0.5", 1}, {"0.3", 2}, {"0.25", 2}, {"0.24", 3}, {"0.0078125", 7}, {"1e-9", 30}, {"4", 4}}) {
    CAPTURE(delta);
    CHECK(composed(sampling_trials({"run.trials=" + delta})).run.trial_count() == k);
  }
  check_same(solve(sampling_trials({"run.trials=0.2"})), solve(sampling_trials({"run.trials=3"})));
  for (const std::string bad : {"0", "1.5", "-0.5", "70000"})
    check_mentions(composing_refused(sampling_trials({"run.trials=" + bad})),
                   {"run.trials", "failure probability"});
}

TEST_CASE("trials: where no gap is measured they are refused with what is missing") {
  Composition c = composed(sampling_trials({"run.trials=2"}));
  const auto refused = [](const Composition& broken) {
    return complaint([&] { run_composition(broken); }, ErrorKind::usage);
  };
  Composition penalised = c;
  penalised.penalty = c.set;
  check_mentions(refused(penalised), {"run.trials", "penalty", "one trial"});
  c.set = nullptr;
  check_mentions(refused(c), {"run.trials", "linear oracle", "one trial"});
  check_mentions(complaint([] { composed(sampling_trials({"run.trials=0"})); }, ErrorKind::usage),
                 {"run.trials", "0"});
  check_mentions(complaint([] { composed(sampling_trials({"run.trials=70000"})); }, ErrorKind::usage),
                 {"run.trials"});
}

TEST_CASE("trials: resumed from any step they end as if nothing had happened") {
  for (const Words& words :
       {sampling_trials({"run.trials=3", "trace.estimator_error=yes"}), to_target({"run.trials=3"})}) {
    const Saved saved = solve_and_save(words);
    REQUIRE(saved.result.trials.size() == 3);
    check_same(solve(words), saved.result);
    const std::size_t stride = std::max<std::size_t>(1, saved.states.size() / 40);
    for (std::size_t k = 0; k < saved.states.size(); k += stride)
      check_same(resumed(words, saved.states[k]), saved.result);
    check_same(resumed(words, saved.states.back()), saved.result);
  }
}

TEST_CASE("trials: a longer run that is killed in its first trial keeps the steps of the others") {
  const Words brief = sampling_trials({"run.trials=3"}),
              longer = sampling_trials({"run.trials=3", "stop.iterations=30"});
  const std::string ended = solve_and_save(brief).states.back();
  const auto from = [&](const std::string& state) {
    std::vector<std::string> states;
    solve(longer, [&](RunSettings& s) {
      s.resume = state;
      s.checkpoint_every = 1;
      s.on_checkpoint = [&](const StateStream& next, bool) { states.push_back(collected(next)); };
    });
    return states;
  };
  const auto states = from(ended);
  CHECK(states.size() == 3 * (30 - 12));
  CHECK(from(states.front()).size() == states.size() - 1);
}

TEST_CASE("trials: a new end makes every one of them longer") {
  const Words brief = sampling_trials({"run.trials=3"}),
              longer = sampling_trials({"run.trials=3", "stop.iterations=30"});
  const RunResult whole = solve(longer), extended = resumed(longer, solve_and_save(brief).states.back());
  CHECK(same_bits(extended.answer, whole.answer));
  CHECK(extended.counts == whole.counts);
  for (std::size_t k = 0; k < 3; ++k) CHECK(extended.trials[k].gap == whole.trials[k].gap);
}

TEST_CASE("trials: an interrupt in the second ends all, keeps the better of the two, and can be resumed") {
  const Words words = sampling_trials({"run.trials=3", "trace.every=1"});
  const Saved saved = interrupted(words, 4);
  CHECK(text(saved.result.status) == "interrupted");
  REQUIRE(saved.result.trials.size() == 2);
  CHECK(text(saved.result.trials[0].status) == "iterations");
  CHECK(text(saved.result.trials[1].status) == "interrupted");
  CHECK(saved.result.trials[1].iterations == 3);
  const double least = std::min(saved.result.trials[0].gap, saved.result.trials[1].gap);
  CHECK(saved.result.measurement.gap == least);
  check_same(resumed(words, saved.states.back()), solve(words));
}

TEST_CASE("trials: a host that ends one by its row ends all") {
  int rows = 0;
  const RunResult result = solve(sampling_trials({"run.trials=3", "trace.every=1"}), [&](RunSettings& s) {
    s.on_row = [&](const TraceRow&) { return ++rows < 17; };
  });
  CHECK(text(result.status) == "stopped-by-host");
  CHECK(result.trials.size() == 2);
}

TEST_CASE("run: resumed after its target was met it makes no further step") {
  for (const Words& words : {to_target(), to_target({"trace.on=no"})}) {
    const Saved saved = solve_and_save(words);
    CHECK(text(saved.result.status) == "relative-gap");
    check_same(resumed(words, saved.states.back()), saved.result);
  }
}
