// SPDX-License-Identifier: BSD-3-Clause
// Interrupts and limits inside measuring and inside steps, and what measuring may cost.
#include "compose_for_test.hpp"

#include <claros/interruption.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

using namespace claros;
using namespace claros::test;

namespace {

/// A spectral loop in the place of one: it polls whether to go on until it is stopped, and `after`
/// ends it.
void ask_for_ever() {
  constexpr int kMost = 3000;
  for (int k = 0; k < kMost; ++k) {
    Interruption::poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// The oracle of a set, which does not come back from one call: a measurement's (which are confirmed) or a
/// step's.
class Endless final : public LinearOracle {
 public:
  Endless(LinearOracle& inner, bool confirmed, int call, std::atomic<bool>* interrupt)
      : inner_(inner), confirmed_(confirmed), call_(call), interrupt_(interrupt) {}
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    if (request.confirm == confirmed_ && ++calls_ == call_) {
      if (interrupt_) interrupt_->store(true);
      ask_for_ever();
    }
    return inner_.minimize(direction, request, vertex);
  }
  double diameter(const Shape& shape) override { return inner_.diameter(shape); }

 private:
  LinearOracle& inner_;
  bool confirmed_;
  int call_, calls_ = 0;
  std::atomic<bool>* interrupt_;
};

const Words kBall{"data.use=synthetic",
                  "data.rows=30",
                  "data.cols=20",
                  "data.observed=0.5",
                  "objective.use=matrix-completion",
                  "set.use=nuclear-ball",
                  "set.radius=20",
                  "algorithm.use=frank-wolfe",
                  "stop.iterations=25",
                  "trace.every=1"};

/// A run whose `call`-th confirmed (or other) linear minimisation does not end by itself.
RunResult run_endless(bool confirmed, int call, bool interrupted, const Words& words,
                      const Adjust& adjust = {}) {
  std::atomic<bool> interrupt = false;
  const Composition c = compose(build_catalog(), spec_of(kBall + words));
  Problem problem = c.problem();
  Endless oracle(*problem.linear_oracle, confirmed, call, interrupted ? &interrupt : nullptr);
  problem.linear_oracle = &oracle;
  RunSettings settings = run_settings(c);
  settings.interrupt = &interrupt;
  if (adjust) adjust(settings);
  return run(problem, *c.algorithm, c.start_point(), settings, c.names);
}

/// Proximal steps, those of measuring too.
class CountedProx final : public ProximalOracle {
 public:
  CountedProx(ProximalOracle& inner, Index& calls) : inner_(inner), calls_(calls) {}
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    ++calls_;
    return inner_.apply(v, step, x, accuracy);
  }
  double value(const Element& x) override { return inner_.value(x); }
  double weak_convexity() const override { return inner_.weak_convexity(); }

 private:
  ProximalOracle& inner_;
  Index& calls_;
};

/// Products with the direction: of measurements, which are confirmed, and of steps.
class CountedProducts final : public LinearOracle {
 public:
  struct Products {
    Index steps = 0, measuring = 0, largest = 0;
  };
  CountedProducts(LinearOracle& inner, Products& products) : inner_(inner), products_(products) {}
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    const OracleInfo info = inner_.minimize(direction, request, vertex);
    (request.confirm ? products_.measuring : products_.steps) += info.products;
    if (request.confirm) products_.largest = std::max(products_.largest, info.products);
    return info;
  }
  double diameter(const Shape& shape) override { return inner_.diameter(shape); }

 private:
  LinearOracle& inner_;
  Products& products_;
};

const Words kRobust{"data.use=synthetic",   "data.rows=24",
                    "data.cols=24",         "data.rank=2",
                    "data.observed=1",      "objective.use=matrix-completion",
                    "set.use=nuclear-ball", "penalty.use=l1",
                    "penalty.lambda=0.01",  "algorithm.use=three-operator"};

}  // namespace

TEST_CASE("interrupted measuring: an interrupt abandons the gap check, and the value is known") {
  const RunResult r = run_endless(true, 6, true, {});
  CHECK(r.status == Status::interrupted);
  CHECK(r.iterations > 0);
  CHECK(std::isfinite(r.measurement.value));
  CHECK(std::isnan(r.measurement.gap));
  CHECK_FALSE(r.measurement.confirmed);
  CHECK(r.trace.size() == static_cast<std::size_t>(r.iterations));
  check_mentions(r.note, {"gap check was given up at the interrupt"});
  CHECK(r.failure.empty());
}

TEST_CASE("interrupted measuring: stop.seconds holds within a gap check, also within the first") {
  for (const int call : {1, 6}) {
    CAPTURE(call);
    const RunResult r = run_endless(true, call, false, {"stop.seconds=0.05", "stop.iterations=1000000"});
    CHECK(r.status == Status::seconds);
    CHECK(std::isfinite(r.measurement.value));
    CHECK(std::isnan(r.measurement.gap));
    check_mentions(r.note, {"given up at stop.seconds"});
  }
}

TEST_CASE(
    "interrupted measuring: a step that is given up leaves the last measured point, and no checkpoint") {
  int checkpoints = 0;
  const auto adjust = [&](RunSettings& settings) {
    settings.on_checkpoint = [&](const StateStream&, bool) { ++checkpoints; };
    settings.checkpoint_every = 1;
  };
  const RunResult r = run_endless(false, 6, true, {}, adjust),
                  full = solve(kBall + Words{"stop.iterations=5"});
  CHECK(r.status == Status::interrupted);
  CHECK(r.iterations == 5);
  CHECK(checkpoints == 5);
  CHECK(same_bits(r.answer, full.answer));
  CHECK(r.measurement.gap == full.measurement.gap);
  check_mentions(r.note, {"the step under way was given up"});
}

TEST_CASE(
    "interrupted measuring: a run resumed from an abandoned gap check has the rows and bits of one that was "
    "never interrupted") {
  for (const int call : {1, 8}) {
    CAPTURE(call);
    std::string saved;
    const auto keep = [&](RunSettings& settings) {
      settings.on_checkpoint = [&](const StateStream& state, bool) { saved = collected(state); };
    };
    const RunResult first = run_endless(true, call, true, {}, keep);
    REQUIRE(first.status == Status::interrupted);
    REQUIRE_FALSE(saved.empty());
    const auto resume = [&](RunSettings& settings) { settings.resume = saved; };
    const RunResult resumed = solve(kBall, resume), whole = solve(kBall);
    CHECK(resumed.iterations == whole.iterations);
    CHECK(same_bits(resumed.answer, whole.answer));
    REQUIRE(resumed.trace.size() == whole.trace.size());
    for (std::size_t k = 0; k < whole.trace.size(); ++k) {
      CHECK(resumed.trace[k].iteration == whole.trace[k].iteration);
      CHECK(resumed.trace[k].value == whole.trace[k].value);
      CHECK(resumed.trace[k].gap == whole.trace[k].gap);
    }
  }
}

TEST_CASE("measuring: a penalty on a set takes under a tenth of the counted work, whatever the radius") {
  for (const char* radius : {"set.radius=2", "set.radius=20", "set.radius=200"}) {
    CAPTURE(radius);
    const Composition c = compose(build_catalog(), spec_of(kRobust + Words{radius, "stop.iterations=3000"}));
    Problem problem = c.problem();
    Index calls = 0;
    CountedProx penalty(*problem.penalty, calls), projection(*problem.projection, calls);
    problem.penalty = &penalty, problem.projection = &projection;
    const RunResult r = run(problem, *c.algorithm, c.start_point(), run_settings(c), c.names);
    CHECK(r.iterations == 3000);
    CAPTURE(calls);
    CAPTURE(r.counts.po);
    // A nested iteration makes two proximal steps and no pass over the data; what small runs may spend
    // besides is in the sum.
    CHECK(calls - r.counts.po <= r.counts.po / 5 + 500);
    CHECK(r.measuring_work <= 0.1 * r.work + 1.2e5);
  }
}

TEST_CASE(
    "measuring: gaps over a nuclear-norm ball take under a tenth of the products and passes of the run") {
  const Composition c = compose(
      build_catalog(), spec_of({"data.use=synthetic", "data.rows=150", "data.cols=120", "data.observed=0.3",
                                "objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=40",
                                "algorithm.use=frank-wolfe", "stop.iterations=400"}));
  Problem problem = c.problem();
  CountedProducts::Products products;
  CountedProducts oracle(*problem.linear_oracle, products);
  problem.linear_oracle = &oracle;
  const RunResult r = run(problem, *c.algorithm, c.start_point(), run_settings(c), c.names);
  CHECK(r.iterations == 400);
  CHECK(products.measuring > 0);
  // A pass over the data takes the time of about four products; a step makes one, and its linear minimisation
  // counts as another.
  const Index run_products = products.steps + 8 * r.iterations;
  CAPTURE(products.largest);
  CHECK(products.measuring <= run_products / 10 + 4 * products.largest);
}

TEST_CASE(
    "measuring: the residual of a penalty on a set falls to its target, and observing changes no bits") {
  const Words words = kRobust + Words{"set.radius=20", "stop.residual=1e-5", "stop.iterations=20000"};
  const RunResult r = solve(words);
  CHECK(r.status == Status::residual);
  CHECK(r.measurement.residual <= 1e-5);
  const Words fixed = kRobust + Words{"set.radius=20", "stop.iterations=50"};
  const RunResult often = solve(fixed + Words{"trace.every=1"}), rarely = solve(fixed + Words{"trace.on=no"});
  CHECK(same_bits(often.answer, rarely.answer));
}

TEST_CASE("measuring: the residual and the gap of a penalty on a set are resumed to the bit") {
  const Words both = kRobust + Words{"set.radius=20", "stop.residual=1e-300"},
              words = both + Words{"stop.iterations=60"};
  std::string saved;
  const auto keep = [&](RunSettings& settings) {
    settings.on_checkpoint = [&](const StateStream& state, bool) { saved = collected(state); };
  };
  (void)solve(both + Words{"stop.iterations=30"}, keep);
  const RunResult resumed = solve(words, [&](RunSettings&settings) { settings.resume = saved; }),
                  whole = solve(words);
  REQUIRE(resumed.trace.size() >= 3);
  CHECK(std::isfinite(whole.trace.back().residual));
  CHECK(std::isfinite(whole.trace.back().gap));
  CHECK(resumed.trace.back().residual == whole.trace.back().residual);
  CHECK(resumed.trace.back().gap == whole.trace.back().gap);
  CHECK(same_bits(resumed.answer, whole.answer));
}

TEST_CASE("accounts: what a run waits is steps, measuring, checkpoints, and little between them") {
  const auto slow = [](RunSettings& settings) {
    settings.on_checkpoint = [](const StateStream&, bool) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    settings.checkpoint_every = 10;
  };
  const RunResult r = solve(kRobust + Words{"set.radius=20", "stop.iterations=40"}, slow);
  CHECK(r.checkpoint_seconds >= 0.08);
  CHECK(r.seconds + r.measuring_seconds + r.checkpoint_seconds <= r.elapsed_seconds);
}
