// SPDX-License-Identifier: BSD-3-Clause
// A step that polls and does not end is abandoned when the time of the run is over, or after an interrupt:
// the run keeps the point that was measured last, and writes no state that a step has half changed.
#include <claros/interruption.hpp>

#include "../plugins/scripted.hpp"

#include <atomic>
#include <thread>

using namespace claros;
using namespace claros::test;

namespace {

/// Three steps of a script; the fourth changes the iterate and polls for ever.
class Endless final : public Algorithm, public State {
 public:
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {}; }
  void start(const Problem&, Element) override { set(); }
  void step() override {
    ++t_;
    set();
    while (t_ == 4) {
      if (on_endless) on_endless();
      Interruption::poll();
      std::this_thread::yield();
    }
  }
  const Element& iterate() const override { return x_; }
  void state(StateVisitor& v) override { v("t", t_); }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }
  std::function<void()> on_endless;

 private:
  void set() { x_ = Element::dense(Shape::matrix(1, 1), {10.0 - static_cast<double>(t_)}); }
  Element x_;
  Index t_ = 0;
};

struct EndlessRun {
  Itself objective;
  Plain plain;
  Endless algorithm;
  Problem problem;
  RunSettings settings;

  EndlessRun() {
    problem.objective = &objective;
    problem.estimator = &plain;
    settings.trace.every = 1;
  }
  RunResult operator()() { return run_bare(problem, algorithm, Element(objective.shape()), settings); }
};

}  // namespace

TEST_CASE("abandoned steps: after an interrupt the run ends with the last point that was measured") {
  EndlessRun r;
  std::atomic<bool> interrupt = false;
  r.settings.interrupt = &interrupt;
  r.algorithm.on_endless = [&] { interrupt = true; };
  const RunResult result = r();
  CHECK(result.status == Status::interrupted);
  CHECK(result.failure == "");
  CHECK(result.iterations == 3);
  CHECK(result.answer.to_dense()[0] == 7.0);
  CHECK(result.measurement.value == 7.0);
}

TEST_CASE("abandoned steps: a limit of seconds ends a step that polls, and blames no component") {
  EndlessRun r;
  r.settings.stop.seconds = 0.5;
  const RunResult result = r();
  CHECK(result.status == Status::seconds);
  CHECK(result.failure == "");
  CHECK(result.iterations <= 3);
  CHECK(result.measurement.value == 10.0 - static_cast<double>(result.iterations));
}

TEST_CASE("abandoned steps: a run whose time is over while it starts has the value of the start") {
  class NeverStarts final : public Algorithm {
   public:
    std::vector<Need> needs() const override { return {}; }
    Takes takes() const override { return {}; }
    void start(const Problem&, Element x0) override {
      x_ = std::move(x0);
      for (;;) Interruption::poll();
    }
    void step() override {}
    const Element& iterate() const override { return x_; }

   private:
    Element x_;
  } algorithm;
  EndlessRun r;
  r.settings.stop.seconds = 0.1;
  const RunResult result =
      run_bare(r.problem, algorithm, Element::dense(r.objective.shape(), {4.0}), r.settings);
  CHECK(result.status == Status::seconds);
  CHECK(result.failure == "");
  CHECK(result.iterations == 0);
  CHECK(result.measurement.value == 4.0);
  CHECK(result.elapsed_seconds >= 0.1);
  CHECK(result.note.find("last point that was measured") != result.note.npos);
}
