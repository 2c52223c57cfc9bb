// SPDX-License-Identifier: BSD-3-Clause
// Nothing is said well of an answer outside its set, nor on the word of an oracle that lies; and what throws
// where it is not expected is an Error with a name.
#include "../core/test_files.hpp"
#include "scripted.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/results/certified.hpp>

using namespace claros;
using namespace claros::test;

namespace {

/// f(X) = ||X - 1||^2 / 2 over a ball of radius 1.5, which the nearest point lies outside of.
Words projected(const std::string& set, const Words& more) {
  return Words{"objective.use=sound-distance",
               "objective.after=100000000",
               "set.use=" + set,
               "set.radius=1.5",
               "set.after=100000000",
               "algorithm.use=proximal-gradient",
               "algorithm.step=0.5"} +
         more;
}

void check_failed(const RunResult& r, const std::vector<const char*>& words) {
  CAPTURE(r.failure);
  CHECK(r.status == Status::failed);
  CHECK(r.failure_kind == ErrorKind::plugin);
  for (const char* word : words) CHECK(r.failure.find(word) != std::string::npos);
  CHECK(certified_by(r).empty());
  CHECK_FALSE(r.measurement.confirmed);
  CHECK_FALSE(r.measurement.bounds_minimum);
  CHECK(r.lower_bound == -std::numeric_limits<double>::infinity());
}

}  // namespace

TEST_CASE(
    "unsound: a solution outside its set is not a success, whatever ends the run, and the projection is "
    "named") {
  for (const std::string set : {"idle-projection", "loose-projection"})
    for (const std::string rule : {"stop.gap=1e-3", "stop.relative_gap=1e-3", "stop.residual=1e-6",
                                   "stop.value=0.5", "stop.iterations=60", "stop.stall=5"})
      for (const std::string trace : {"trace.on=yes", "trace.on=no"}) {
        CAPTURE(set);
        CAPTURE(rule);
        CAPTURE(trace);
        const RunResult r =
            solve(projected(set, {rule, trace,
                                  rule == "stop.iterations=60" ? "stop.epochs=1000" : "stop.iterations=500"}),
                  {}, fixture_catalog());
        check_failed(r, {("set/" + set).c_str(), "outside", "projection"});
        CHECK(r.violation > 1e-4);
      }
}

TEST_CASE("unsound: a penalty that is infinite behind its own proximal step is named") {
  const RunResult r =
      solve({"objective.use=sound-distance", "objective.after=100000000", "penalty.use=idle-indicator",
             "algorithm.use=proximal-gradient", "algorithm.step=0.5", "stop.iterations=50"},
            {}, fixture_catalog());
  check_failed(r, {"penalty/idle-indicator", "proximal step"});
}

TEST_CASE("unsound: the value of a vertex is computed, not believed") {
  const Words words{"objective.use=sound-distance", "objective.after=100000000",
                    "set.use=lying-value",          "set.radius=1.5",
                    "algorithm.use=frank-wolfe",    "stop.iterations=50"};
  for (const std::string trace : {"trace.on=yes", "trace.on=no"}) {
    const RunResult r = solve(words + Words{trace}, {}, fixture_catalog());
    check_failed(r, {"set/lying-value", "the linear oracle returned the value"});
    CHECK(r.iterations == 0);
  }
}

TEST_CASE("unsound: a gap below 0 is a failure of the set, and no target met") {
  for (const std::string rule : {"stop.gap=1e-2", "stop.relative_gap=1e-2", "stop.iterations=20"}) {
    CAPTURE(rule);
    const RunResult r =
        solve({"objective.use=sound-distance", "objective.after=100000000", "set.use=lying-bound",
               "set.radius=1.5", "set.after=100000000", "algorithm.use=frank-wolfe", rule,
               rule == "stop.iterations=20" ? "stop.epochs=1000" : "stop.iterations=100"},
              {}, fixture_catalog());
    check_failed(r, {"set/lying-bound", "the gap is -"});
  }
}

TEST_CASE("unsound: where membership of the solution cannot be checked, the result says so") {
  const Words words{"objective.use=sound-distance", "objective.after=100000000", "algorithm.use=frank-wolfe",
                    "stop.gap=1e-2", "stop.iterations=5000"};
  const RunResult told =
      solve(words + Words{"set.use=frobenius-ball", "set.radius=1.5"}, {}, fixture_catalog());
  CHECK(told.violation <= 1e-12);
  CHECK(certified_by(told) == "the value is within gap of the minimum");
  const RunResult untold =
      solve(words + Words{"set.use=hull", "set.blocks.1.use=frobenius-ball", "set.blocks.1.radius=1.5"}, {},
            fixture_catalog());
  CHECK(untold.status == told.status);
  CHECK(std::isnan(untold.violation));
  check_mentions(certified_by(untold), {"within gap of the minimum", "if the solution lies in the set"});
  const RunResult free = solve({"objective.use=sound-distance", "algorithm.use=proximal-gradient",
                                "algorithm.step=0.5", "objective.after=1000000", "stop.iterations=5"},
                               {}, fixture_catalog());
  CHECK(free.violation == 0.0);
}

TEST_CASE("unsound: a start outside the set is neither a success nor, once the run is inside, a failure") {
  // f(x) = x on [2, 5]: at the start 0 the gap is negative.
  const Words words{"objective.use=sound-distance",
                    "objective.after=100000000",
                    "set.use=box",
                    "set.lower=2",
                    "set.upper=5",
                    "algorithm.use=frank-wolfe",
                    "start.from=zero"};
  const RunResult r = solve(words + Words{"stop.gap=0.5", "stop.iterations=5000"}, {}, fixture_catalog());
  CHECK(r.failure == "");
  CHECK(r.status == Status::gap);
  CHECK(r.iterations > 0);
  CHECK(r.violation <= 1e-12);
}

TEST_CASE("unsound: a start outside the set, below every value on it, makes no residual a divergence") {
  // ||x - (3, 3, 3)||^2 / 2 is 0 at the start and 6 at the point of the simplex next to it.
  const TestFolder folder;
  const std::string start = folder.put("start.csv", "3\n3\n3\n").string();
  for (const std::string set : {"simplex", "l1-ball", "box"}) {
    const Words bounds = set == "box" ? Words{"set.lower=0", "set.upper=1"} : Words{"set.radius=3"};
    const RunResult r =
        solve(Words{"objective.use=distance", "objective.data=3 3 3", "set.use=" + set,
                    "algorithm.use=proximal-gradient", "start.from=" + start, "stop.residual=1e-8"} +
                  bounds,
              {}, build_catalog());
    CAPTURE(set);
    CHECK(r.failure == "");
    CHECK(r.status == Status::residual);
    CHECK(r.measurement.value > 1.0);
  }
}

TEST_CASE("unsound: a point that rounding leaves outside the domain of a penalty blames no component") {
  constexpr Index kRows = 20, kCols = 8;
  const std::vector<Words> penalties{{"penalty.use=elastic-net", "penalty.rho=0.5"},
                                     {"penalty.use=group", "penalty.groups=2", "penalty.nonnegative=yes"},
                                     {"penalty.use=slope", "penalty.rho=0.4"}};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomStream random(seed, Purpose::test);
    std::vector<double> a(static_cast<std::size_t>(kRows * kCols)), y(static_cast<std::size_t>(kRows));
    for (double& value : a) value = 30.0 * random.normal();
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = a[8 * i] - 0.5 * a[8 * i + 3] + random.normal();
    HostParts parts;
    parts.data = data_from_rows(a, kRows, kCols, y);
    for (const Words& penalty : penalties)
      for (const std::string algorithm : {"primal-dual", "three-operator"}) {
        const Words words =
            penalty + Words{"objective.use=linear-model", "penalty.lambda=0.2*max",
                            "algorithm.use=" + algorithm, "stop.relative_gap=1e-7", "stop.iterations=20000"};
        const RunResult r = run_composition(compose(build_catalog(), spec_of(words), parts));
        CAPTURE(seed);
        CAPTURE(joined(words, " "));
        CHECK(r.failure == "");
        CHECK(r.status != Status::failed);
      }
  }
}

TEST_CASE("contained: whatever a component throws, wherever, is an Error that names it") {
  for (const std::string name : {"throws-in-shape", "throws-in-components", "throws-in-constants",
                                 "no-components", "negative-components"}) {
    CAPTURE(name);
    std::string said;
    try {
      said = solve({"objective.use=" + name, "set.use=frobenius-ball", "algorithm.use=frank-wolfe",
                    "stop.iterations=5"},
                   {}, fixture_catalog())
                 .failure;
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::plugin);
      said = error.what();
    }
    check_mentions(said, {("objective/" + name).c_str()});
  }
  for (const std::string call : {"needs", "takes", "iterate", "report"}) {
    CAPTURE(call);
    std::string said;
    try {
      said = solve({"objective.use=sound-distance", "set.use=frobenius-ball",
                    "algorithm.use=throws-in-question", "algorithm.in=" + call, "stop.iterations=5"},
                   {}, fixture_catalog())
                 .failure;
    } catch (const Error& error) {
      said = error.what();
    }
    check_mentions(said, {"algorithm/throws-in-question", "threw an exception of type int"});
  }
}

TEST_CASE("contained: a component without the class of its kind is refused by name") {
  for (const std::string kind : {"objective", "smoother", "estimator", "algorithm"}) {
    CAPTURE(kind);
    Words words{"objective.use=sound-distance", "set.use=frobenius-ball", "algorithm.use=frank-wolfe",
                "stop.iterations=5"};
    try {
      (void)solve(words + Words{kind + ".use=bare-" + kind}, {}, fixture_catalog());
      FAIL("a bare component was taken");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::plugin);
      check_mentions(error.what(),
                     {(kind + "/bare-" + kind).c_str(), ("not of kind " + kind).c_str(), "derive"});
    }
  }
  // A refusal that looks for what would fit asks every algorithm that there is.
  try {
    (void)solve({"objective.use=sound-distance", "algorithm.use=frank-wolfe", "stop.iterations=5"}, {},
                fixture_catalog());
    FAIL("Frank-Wolfe ran without a set");
  } catch (const Error& error) {
    check_mentions(error.what(), {"set"});
  }
}
