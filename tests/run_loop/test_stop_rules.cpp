// SPDX-License-Identifier: BSD-3-Clause
// Every way in which a run can end, and that it ends there and not a step later.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <claros/abilities.hpp>

#include "scripted.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& stopped_problem() {
  static const SmallProblem made(401, 10, 8, 2, 45);
  return made;
}

RunResult ended_by(const Words& stop) { return solve(stopped_problem().words(6.0, stop)); }

double falling(Index t) { return 10.0 - 0.01 * static_cast<double>(t); }

}  // namespace

TEST_CASE("stop: each budget ends the run at the first step that uses it up") {
  const Index n = stopped_problem().n();
  struct Case {
    std::string rule;
    Status status;
    Index steps;
  };
  for (const Case& c : {Case{"iterations=7", Status::iterations, 7}, Case{"epochs=5", Status::epochs, 5},
                        Case{"passes=2.5", Status::passes, 3}, Case{"passes=3", Status::passes, 3},
                        Case{"sfo=" + std::to_string(2 * n + 1), Status::sfo, 3},
                        Case{"sfo=" + std::to_string(2 * n), Status::sfo, 2}, Case{"lo=4", Status::lo, 4}}) {
    CAPTURE(c.rule);
    for (const std::string trace : {"yes", "no"}) {
      const RunResult r = ended_by({"stop." + c.rule, "trace.on=" + trace});
      CHECK(r.status == c.status);
      CHECK(r.iterations == c.steps);
      CHECK(r.epochs == c.steps);
      CHECK(r.counts.sfo == n * c.steps);
      CHECK(r.counts.lo == c.steps);
      CHECK(r.failure.empty());
      CHECK_FALSE(is_target(r.status));
    }
  }
}

TEST_CASE("stop: the first of several rules ends the run, and the status says which") {
  CHECK(ended_by({"stop.iterations=9", "stop.lo=5"}).status == Status::lo);
  CHECK(ended_by({"stop.iterations=4", "stop.lo=5"}).status == Status::iterations);
  CHECK(ended_by({"stop.gap=1e6", "stop.iterations=4"}).status == Status::gap);
}

TEST_CASE("stop: epochs of an estimator that has them end when the last is over") {
  for (const Index length : {1, 4}) {
    ScriptedRun trial(falling, 20);
    testing::SmallSvrg svrg(3, length);
    trial.problem.estimator = &svrg;
    trial.settings.stop.epochs = 3;
    const RunResult r = trial();
    CHECK(r.status == Status::epochs);
    CHECK(r.epochs == 3);
    CHECK(r.iterations == 3 * length);
    CHECK(r.counts.sfo == 3 * (20 + length * 2 * 3));
    CHECK(r.counts.sfo_indices == 3 * (20 + length * 3));
  }
}

namespace {

/// A script whose theory asks for so many steps.
class Budgeted final : public Algorithm, public StepBudget {
 public:
  explicit Budgeted(Index budget) : script_(falling), budget_(budget) {}
  std::vector<Need> needs() const override { return script_.needs(); }
  Takes takes() const override { return script_.takes(); }
  void start(const Problem& problem, Element x) override { script_.start(problem, std::move(x)); }
  void step() override { script_.step(); }
  const Element& iterate() const override { return script_.iterate(); }
  Index step_budget() const override { return budget_; }
  void* ability(std::string_view id) noexcept override {
    return id == StepBudget::kAbility ? static_cast<StepBudget*>(this) : nullptr;
  }

 private:
  Scripted script_;
  Index budget_;
};

}  // namespace

TEST_CASE("stop: of the steps of a theory and those that are asked for, whichever come first; 0 is none") {
  for (const Index budget : {0, 4, 9})
    for (const Index asked : {0, 6, 9, 20}) {
      if (budget == 0 && asked == 0) continue;  // would not end
      CAPTURE(budget);
      CAPTURE(asked);
      ScriptedRun trial(falling);
      Budgeted algorithm(budget);
      trial.settings.stop.iterations = asked;
      const RunResult r =
          run_bare(trial.problem, algorithm, Element(trial.objective.shape()), trial.settings);
      CHECK(r.status == Status::iterations);
      CHECK(r.iterations == (budget == 0 ? asked : asked == 0 ? budget : std::min(budget, asked)));
    }
}

TEST_CASE("stop: a target is met with every estimator, by a gap on the full data") {
  for (const std::string& estimator : build_catalog().names(Kind::estimator)) {
    CAPTURE(estimator);
    const RunResult r = ended_by(Words{"stop.relative_gap=0.8", "stop.iterations=20000", "trace.on=no"} +
                                 small_batches(estimator));
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.confirmed);
    CHECK(stopped_problem().gap(r.answer.to_dense(), 6.0) <= 0.8 * r.measurement.value);
  }
}

TEST_CASE("stop: seconds are those that pass, measuring included") {
  const RunResult r = ended_by({"stop.seconds=0.05"});
  CHECK(r.status == Status::seconds);
  CHECK(r.elapsed_seconds >= 0.025);  // the last measurement is waited for in advance
  CHECK(r.elapsed_seconds >= r.seconds + r.measuring_seconds - 1e-9);
  CHECK(r.component_seconds.objective + r.component_seconds.estimator + r.component_seconds.oracle <=
        r.seconds);
}

TEST_CASE("stop: the seconds before a resume count") {
  const Composition c =
      compose(build_catalog(), spec_of(stopped_problem().words(6.0, {"stop.iterations=15"})));
  std::vector<std::string> states;
  const RunResult whole = run_composition(c, [&](RunSettings& s) {
    s.checkpoint_every = 5;
    s.on_checkpoint = [&](const StateStream& stream, bool) {
      states.push_back(collected(stream));
      std::this_thread::sleep_for(std::chrono::milliseconds(300));  // before the next
    };
  });
  REQUIRE(whole.iterations == 15);
  REQUIRE(states.size() >= 2);
  const auto resumed = [&](double seconds) {
    return run_composition(c, [&](RunSettings& s) { s.resume = states[1], s.stop.seconds = seconds; });
  };
  const RunResult late = resumed(0.2);
  CHECK(late.status == Status::seconds);
  CHECK(late.iterations < whole.iterations);
  CHECK(late.elapsed_seconds >= 0.3);
  const RunResult in_time = resumed(1e6);
  CHECK(in_time.status == Status::iterations);
  CHECK(in_time.iterations == whole.iterations);
}

TEST_CASE("stop: a gap target is met by the gap that is reported, confirmed, with and without a trace") {
  for (const std::string trace : {"trace.on=yes", "trace.on=no", "trace.every=1", "trace.every=1000000"})
    for (const double target : {0.3, 0.03, 0.003})
      for (const std::string output : {"last", "uniform", "best-gap"}) {
        const Words more{trace, "algorithm.output=" + output, "stop.iterations=20000"};
        CAPTURE(trace);
        CAPTURE(target);
        CAPTURE(output);
        const RunResult relative = ended_by(Words{"stop.relative_gap=" + print_real(target)} + more);
        CHECK(relative.status == Status::relative_gap);
        CHECK(relative.measurement.confirmed);
        CHECK(relative.measurement.gap <= target * relative.measurement.value);
        const RunResult absolute = ended_by(Words{"stop.gap=" + print_real(target)} + more);
        CHECK(absolute.status == Status::gap);
        CHECK(absolute.measurement.confirmed);
        CHECK(absolute.measurement.gap <= target);
        CHECK(is_target(absolute.status));
      }
}

TEST_CASE("stop: a value target is met by the value that is reported, with a gap target beside it or none") {
  const double reachable = ended_by({"stop.iterations=60"}).measurement.value;
  for (const std::string trace : {"trace.on=yes", "trace.on=no"})
    for (const Words& beside : {Words{}, Words{"stop.relative_gap=1e-9"}}) {
      CAPTURE(trace);
      CAPTURE(beside.size());
      const RunResult r =
          ended_by(Words{"stop.value=" + print_real(reachable), "stop.iterations=5000", trace} + beside);
      CHECK(r.status == Status::value);
      CHECK(r.measurement.value <= reachable);
      CHECK(r.iterations <= 80);  // looks are spaced by their cost
    }
}

TEST_CASE(
    "stop: where the point of the gradient lies outside the domain and says nothing, the target is met all "
    "the same") {
  for (const std::string seed : {"1", "2", "3", "4", "5"}) {
    const Words words{"objective.use=linear-model",
                      "data.use=synthetic-regression",
                      "data.rows=200",
                      "data.cols=100",
                      "data.nonzero=10",
                      "data.correlation=0.5",
                      "data.seed=" + seed,
                      "penalty.use=nonnegative",
                      "algorithm.use=proximal-gradient",
                      "stop.relative_gap=1e-6",
                      "stop.iterations=5000"};
    const RunResult seen = solve(words + Words{"trace.every=1"}),
                    unseen = solve(words + Words{"trace.on=no"});
    CHECK(seen.status == Status::relative_gap);
    CHECK(unseen.status == Status::relative_gap);
    CHECK(unseen.iterations <= 2 * seen.iterations + 32);  // momentum carries the gap up and down
  }
}

TEST_CASE("stop: a start that meets the target is left as it is") {
  const RunResult r = ended_by({"stop.gap=1e6", "stop.iterations=10"});
  CHECK(r.status == Status::gap);
  CHECK(r.iterations == 0);
  CHECK(r.counts == Counts{});
  CHECK(norm(r.answer) == 0.0);
}

TEST_CASE("stop: stall waits for values that fall, however rarely they are measured") {
  for (const bool trace : {true, false})
    for (const Index every : {0, 1, 7, 1000}) {
      CAPTURE(trace);
      CAPTURE(every);
      ScriptedRun trial([](Index t) { return t < 100 ? falling(t) : 9.5; });
      trial.settings.stop.stall = 5;
      trial.settings.stop.iterations = 1000;
      trial.settings.trace.on = trace;
      trial.settings.trace.every = every;
      const RunResult r = trial();
      CHECK(r.status == Status::stall);
      CHECK(r.iterations >= 100);
      CHECK(r.iterations <= 110);
    }
}

TEST_CASE("stop: an interrupt ends the run at the next step") {
  std::atomic<bool> flag = true;
  const auto run_with = [&](const Adjust& more) {
    return solve(stopped_problem().words(6.0, {"stop.iterations=50", "trace.every=1"}), [&](RunSettings& s) {
      s.interrupt = &flag;
      if (more) more(s);
    });
  };
  const RunResult at_once = run_with({});
  CHECK(at_once.status == Status::interrupted);
  CHECK(at_once.iterations == 1);
  flag = false;
  const RunResult later = run_with([&](RunSettings& s) {
    s.on_row = [&](const TraceRow& row) {
      flag = row.iteration == 6;
      return true;
    };
  });
  CHECK(later.status == Status::interrupted);
  CHECK(later.iterations == 6);
  CHECK(std::isfinite(later.measurement.value));
  CHECK(same_bits(later.answer, ended_by({"stop.iterations=6"}).answer));
}

TEST_CASE("stop: the host ends the run by its callback") {
  for (const Index at : {0, 1, 5}) {
    std::vector<Index> seen;
    const RunResult r =
        solve(stopped_problem().words(6.0, {"stop.iterations=50", "trace.every=1"}), [&](RunSettings& s) {
          s.on_row = [&](const TraceRow& row) {
            seen.push_back(row.iteration);
            return row.iteration < at;
          };
        });
    CHECK(r.status == Status::stopped_by_host);
    CHECK(r.iterations == at);
    CHECK(seen.size() == static_cast<std::size_t>(at + 1));
    CHECK(r.trace.size() == seen.size());
  }
}

TEST_CASE("stop: what a callback throws reaches the host as it is") {
  struct Mine {};
  const auto throwing = [&](const Adjust& adjust) {
    return solve(stopped_problem().words(6.0, {"stop.seconds=5", "trace.every=1"}), adjust);
  };
  CHECK_THROWS_AS(throwing([](RunSettings& s) { s.on_row = [](const TraceRow&) -> bool { throw Mine{}; }; }),
                  Mine);
  CHECK_THROWS_AS(throwing([](RunSettings& s) {
                    s.on_progress = [](const Progress&) { throw std::out_of_range("host"); };
                  }),
                  std::out_of_range);
}

TEST_CASE("stop: a value that is not finite ends the run as diverged, at the last point that was sound") {
  for (const double end : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (const bool trace : {true, false}) {
      ScriptedRun trial([end](Index t) { return t < 30 ? falling(t) : end; });
      trial.settings.stop.iterations = 100;
      trial.settings.trace.on = trace;
      trial.settings.trace.every = 1;
      const RunResult r = trial();
      CAPTURE(end);
      CAPTURE(trace);
      CHECK(r.status == Status::diverged);
      check_mentions(r.failure, {"objective", "value", "try"});
      CHECK(r.failure_kind == ErrorKind::numerical);
      if (!trace) continue;
      CHECK(r.iterations == 30);
      CHECK(r.measurement.value == falling(29));
      CHECK(r.answer.to_dense()[0] == falling(29));
      CHECK(r.trace.size() == 31);
    }
}

TEST_CASE("stop: -inf is a value target that no run meets") {
  ScriptedRun trial([](Index) { return -std::numeric_limits<double>::infinity(); });
  trial.settings.stop.iterations = 5;
  CHECK(trial().status == Status::diverged);
}

TEST_CASE("stop: progress is reported at most ten times a second") {
  int told = 0;
  Progress last;
  const RunResult r = solve(stopped_problem().words(6.0, {"stop.seconds=0.5"}), [&](RunSettings& s) {
    s.on_progress = [&](const Progress& p) {
      CHECK(p.iteration > last.iteration);
      last = p;
      ++told;
    };
  });
  CHECK(told >= 1);
  CHECK(told <= 10.0 * (r.seconds + r.measuring_seconds) + 1);
  CHECK(std::isfinite(last.value));
}

TEST_CASE("stop: a start of another shape is refused before the first step") {
  ScriptedRun trial(falling);
  trial.settings.stop.iterations = 3;
  check_mentions(complaint(
                     [&] {
                       (void)run_bare(trial.problem, trial.algorithm, Element(Shape::matrix(2, 1)),
                                      trial.settings);
                     },
                     ErrorKind::usage),
                 {"2 x 1", "1 x 1", "start"});
}

TEST_CASE("stop: every status has a name and a sentence of its own") {
  std::set<std::string> names, sentences;
  const auto count = static_cast<int>(Status::failed) + 1;
  for (int k = 0; k < count; ++k) {
    names.insert(text(static_cast<Status>(k)));
    sentences.insert(explanation(static_cast<Status>(k)));
  }
  CHECK(names.size() == 16);
  CHECK(sentences.size() == 16);
}
