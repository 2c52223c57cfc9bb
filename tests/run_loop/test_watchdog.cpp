// SPDX-License-Identifier: BSD-3-Clause
// A run that is opted in and hangs is found, with the name of who does not come back and what the run had; no
// other is.
#include "bare_problem.hpp"
#include "compose_for_test.hpp"

#include <claros/library_call.hpp>
#include <claros/run/watchdog.hpp>

#include <sched.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {

/// x_{t+1} = x_t + 1, by steps that wait for as long as `wait` says.
class Slow final : public Algorithm {
 public:
  explicit Slow(std::function<void(Index)> wait) : wait_(std::move(wait)) {}
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.set = true}; }
  void start(const Problem& problem, Element x0) override { x_ = std::move(x0), f_ = problem.objective; }
  void step() override {
    x_.add(0.01, Element::dense(x_.shape(), std::vector<double>(6, 1.0)));
    wait_(++t_);
  }
  const Element& iterate() const override { return x_; }

 private:
  std::function<void(Index)> wait_;
  Objective* f_ = nullptr;
  Element x_;
  Index t_ = 0;
};

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Works until the thread has had so much processor time, or `ended` says so.
void work_for(double seconds, const std::function<bool()>& ended = {}) {
  const double end = processor_seconds() + seconds;
  while (processor_seconds() < end && !(ended && ended())) {
  }
}

/// A run of Slow under a watchdog, whose finding releases the step.
struct Watched {
  std::atomic<bool> released = false, interrupt = false, at_once = false;
  double grace = 0.2;
  std::vector<Stuck> found;
  std::mutex mutex;

  void hang() {
    for (int k = 0; k < 2000 && !released; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  RunResult operator()(std::function<void(Index)> wait, const Words& words) {
    Watchdog watchdog(
        [this](const Stuck& stuck) {
          found.push_back(stuck);
          released = true;
        },
        grace, &at_once);
    const Composition c =
        compose(fixture_catalog(), spec_of(Words{"objective.use=sound-distance", "objective.after=100000000",
                                                 "algorithm.use=proximal-gradient"} +
                                           words));
    RunSettings settings = run_settings(c);
    settings.watchdog = &watchdog;
    settings.interrupt = &interrupt;
    Slow algorithm(std::move(wait));
    return run(c.problem(), algorithm, c.start_point(), settings, {});
  }
};

}  // namespace

TEST_CASE("watchdog: a step that outlasts stop.seconds is found, with the last point measured") {
  Watched run;
  const RunResult r = run(
      [&](Index t) {
        if (t == 5) run.hang();
      },
      {"stop.seconds=0.1", "trace.every=1"});
  REQUIRE(run.found.size() == 1);
  const Stuck& stuck = run.found.front();
  CHECK(stuck.last.status == Status::failed);
  CHECK(stuck.last.iterations == 4);
  CHECK(stuck.last.trace.size() == 5);
  CHECK(stuck.last.measurement.value == r.trace[4].value);
  CHECK(stuck.last.answer.to_dense()[0] == doctest::Approx(0.04));
  check_mentions(stuck.last.failure, {"after 4 steps", "has not come back", "stop.seconds"});
  CHECK(r.status == Status::seconds);  // the host let it go on
  CHECK(r.iterations == 5);
}

TEST_CASE("watchdog: an interrupt that no component polls is found") {
  Watched run;
  (void)run(
      [&](Index t) {
        if (t == 3) run.interrupt = true, run.hang();
      },
      {"stop.iterations=10"});
  REQUIRE(run.found.size() == 1);
  CHECK(run.found.front().last.status == Status::interrupted);
  check_mentions(run.found.front().last.failure, {"the interrupt"});
}

TEST_CASE("watchdog: without a limit and an interrupt nothing is found, however long a step takes") {
  Watched run;
  const RunResult r = run(
      [&](Index t) {
        if (t == 2) std::this_thread::sleep_for(std::chrono::milliseconds(800));
      },
      {"stop.iterations=4"});
  CHECK(run.found.empty());
  CHECK(r.status == Status::iterations);
}

TEST_CASE("watchdog: steps that were long before are long at the limit") {
  Watched run;
  const RunResult r =
      run([&](Index) { std::this_thread::sleep_for(std::chrono::milliseconds(600)); }, {"stop.seconds=0.7"});
  CHECK(run.found.empty());
  CHECK(r.status == Status::seconds);
}

TEST_CASE("watchdog: the component is named, and a run that is watched makes the same steps") {
  const Words words{"objective.use=sound-distance",
                    "objective.after=100000000",
                    "set.use=hanging-minimize",
                    "set.radius=1.5",
                    "set.after=40",
                    "algorithm.use=frank-wolfe"};
  const auto watched = [&](const Words& more) {
    Watchdog watchdog([](const Stuck&) { FAIL("nothing hangs"); });
    const Composition c = compose(fixture_catalog(), spec_of(words + more));
    RunSettings settings = run_settings(c);
    settings.watchdog = &watchdog;
    return run(c, settings);
  };
  const Words soon{"stop.iterations=30", "stop.seconds=1000"};
  const RunResult a = watched(soon), b = solve(words + soon, {}, fixture_catalog());
  CHECK(same_bits(a.answer, b.answer));
  CHECK(a.trace.size() == b.trace.size());
}

TEST_CASE("watchdog: a component whose calls come back is not named, however often it is called") {
  // The step does not end, and is nearly always inside a short call of the objective.
  Watched run;
  Objective* f = nullptr;
  const auto busy = [&](Index t) {
    if (t != 1) return;
    for (int k = 0; k < 2000 && !run.released; ++k) (void)f->value(Element(Shape::matrix(3, 2)));
  };
  class Short final : public Objective {
   public:
    Shape shape() const override { return Shape::matrix(3, 2); }
    Index terms() const override { return 1; }
    double value(const Element& x) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return 1.0 + norm(x);
    }
    void add_gradient(const Element&, const Batch&, double, Element&) override {}
  } objective;
  Watchdog watchdog(
      [&run](const Stuck& stuck) {
        run.found.push_back(stuck);
        run.released = true;
      },
      0.4);
  class Asks final : public Algorithm {
   public:
    Asks(std::function<void(Index)> step, Objective*& f) : step_(std::move(step)), f_(f) {}
    std::vector<Need> needs() const override { return {}; }
    Takes takes() const override { return {}; }
    void start(const Problem& problem, Element x0) override { x_ = std::move(x0), f_ = problem.objective; }
    void step() override { step_(++t_); }
    const Element& iterate() const override { return x_; }

   private:
    std::function<void(Index)> step_;
    Objective*& f_;
    Element x_;
    Index t_ = 0;
  } algorithm(busy, f);
  const Composition c = compose(
      fixture_catalog(),
      spec_of({"objective.use=sound-distance", "algorithm.use=proximal-gradient", "stop.iterations=4"}));
  Problem problem = c.problem();
  problem.objective = &objective;
  RunSettings settings;
  settings.stop.seconds = 0.05, settings.stop.iterations = 4;
  settings.watchdog = &watchdog;
  (void)run_bare(problem, algorithm, Element(Shape::matrix(3, 2)), settings);
  REQUIRE(run.found.size() == 1);
  CHECK(run.found.front().inside.empty());
  check_mentions(run.found.front().last.failure, {"the run has not come back"});
}

TEST_CASE("watchdog: a first measurement at the end finds the solution kept") {
  // Without a trace nothing is measured before the end, where the objective hangs in its first value after
  // that of the start.
  Watched run;
  Watchdog watchdog(
      [&run](const Stuck& stuck) {
        run.found.push_back(stuck);
        run.released = true;
      },
      0.2);
  class Hangs final : public Objective {
   public:
    explicit Hangs(Watched& run) : run_(run) {}
    Shape shape() const override { return Shape::matrix(3, 2); }
    Index terms() const override { return 1; }
    double value(const Element& x) override {
      if (!x.is_zero()) run_.hang();
      return 1.0;
    }
    void add_gradient(const Element&, const Batch&, double, Element&) override {}

   private:
    Watched& run_;
  } objective(run);
  const Composition c = compose(
      fixture_catalog(),
      spec_of({"objective.use=sound-distance", "algorithm.use=proximal-gradient", "stop.iterations=2"}));
  Problem problem = c.problem();
  problem.objective = &objective;
  RunSettings settings;
  settings.stop.seconds = 0.05;  // over after the first step, before anybody looks at its value
  settings.trace.on = false;
  settings.watchdog = &watchdog;
  Slow algorithm([](Index) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
  (void)run_bare(problem, algorithm, Element(Shape::matrix(3, 2)), settings);
  REQUIRE(run.found.size() == 1);
  CHECK(run.found.front().inside == "objective");
  CHECK(run.found.front().last.iterations == 1);
  CHECK(run.found.front().last.answer.to_dense()[0] == doctest::Approx(0.01));
}

TEST_CASE("watchdog: a step that waits for a processor is not found, and one that works as long is") {
  // The run's thread has the least claim to the one processor that it shares with two others at work.
  const auto starved = [](double work) {
    Watched run;
    std::thread([&] {
      (void)run(
          [&](Index t) {
            if (t != 1) return;
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
            REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);  // of threads that it starts too
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
            std::vector<std::thread> others;
            for (int k = 0; k < 2; ++k)
              others.emplace_back([&] {
                while (std::chrono::steady_clock::now() < end && !run.released) {
                }
              });
            const sched_param none{};
            REQUIRE(::sched_setscheduler(0, SCHED_IDLE, &none) == 0);
            work_for(work, [&] { return run.released.load(); });
            for (std::thread& other : others) other.join();
          },
          {"stop.seconds=0.05"});
    }).join();
    return run.found.size();
  };
  CHECK(starved(0.03) == 0);
  CHECK(starved(60.0) == 1);
}

TEST_CASE("watchdog: after an interrupt a library call is waited for, and what it leaves is kept") {
  Watched run;
  const RunResult r = run(
      [&](Index t) {
        if (t != 3) return;
        run.interrupt = true;
        const LibraryCall call("the singular value decomposition", 3, 2);
        work_for(0.8, [&] { return run.released.load(); });
      },
      {"stop.iterations=10"});
  CHECK(run.found.empty());
  CHECK(r.status == Status::interrupted);
  CHECK(r.iterations == 3);
  CHECK(r.answer.to_dense()[0] == doctest::Approx(0.03));
}

TEST_CASE(
    "watchdog: a library call that does not end within the time after stop.seconds ends the run there") {
  Watched run;
  run.grace = 0.05;
  (void)run(
      [&](Index t) {
        if (t != 3) return;
        const LibraryCall call("the singular value decomposition", 3, 2);
        work_for(60.0, [&] { return run.released.load(); });
      },
      {"stop.seconds=0.1", "trace.every=1"});
  REQUIRE(run.found.size() == 1);
  const RunResult& last = run.found.front().last;
  CHECK(last.status == Status::seconds);
  CHECK(last.failure == "");
  CHECK(last.iterations == 2);
  CHECK(last.elapsed_seconds >= 0.1);
  CHECK(last.seconds + last.measuring_seconds <= last.elapsed_seconds);
  check_mentions(last.note, {"the singular value decomposition of a 3 x 2 matrix", "last point"});
}

TEST_CASE("watchdog: a library call that sleeps is named, and no component is") {
  Watched run;
  (void)run(
      [&](Index t) {
        if (t != 3) return;
        run.interrupt = true;
        const LibraryCall call("the singular value decomposition", 3, 2);
        run.hang();
      },
      {"stop.iterations=10"});
  REQUIRE(run.found.size() == 1);
  CHECK(run.found.front().inside == "");
  CHECK(run.found.front().last.failure_kind == ErrorKind::numerical);
  check_mentions(run.found.front().last.failure, {"of a 3 x 2 matrix has not come back"});
}

TEST_CASE("watchdog: a second interrupt ends the run at once, and blames none") {
  Watched run;
  run.grace = 1e6;
  (void)run(
      [&](Index t) {
        if (t == 5) run.interrupt = run.at_once = true, run.hang();
      },
      {"trace.every=1"});
  REQUIRE(run.found.size() == 1);
  const RunResult& last = run.found.front().last;
  CHECK(last.status == Status::interrupted);
  CHECK(last.failure == "");
  CHECK(last.iterations == 4);
  check_mentions(last.note, {"second interrupt", "last point"});
}
