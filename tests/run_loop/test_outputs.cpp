// SPDX-License-Identifier: BSD-3-Clause
// Which of the iterates is the answer.
#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& answered_problem() {
  static const SmallProblem made(403, 8, 7, 2, 30);
  return made;
}

RunResult answered(const std::string& output, const Words& more) {
  return solve(answered_problem().words(4.0, Words{"algorithm.output=" + output} + more));
}

}  // namespace

TEST_CASE("output: last is the last iterate") {
  const Composition c =
      compose(build_catalog(), spec_of(answered_problem().words(4.0, {"stop.iterations=9"})));
  const RunResult r = run_composition(c);
  CHECK(same_bits(r.answer, c.algorithm->iterate()));
  CHECK(&c.algorithm->iterate() == &c.algorithm->answer());
}

TEST_CASE("output: uniform draws every iterate but the start equally often") {
  constexpr Index kSteps = 8, kRuns = 800;
  const RunResult path = answered("last", {"stop.iterations=8", "trace.every=1", "set.engine=dense"});
  REQUIRE(path.trace.size() == kSteps + 1);
  std::vector<double> hits(kSteps + 1, 0.0);
  const SmallProblem& p = answered_problem();
  for (Index seed = 0; seed < kRuns; ++seed) {
    // The dense engine draws no random numbers: all runs walk the same path.
    const RunResult r = answered("uniform", {"stop.iterations=8", "trace.on=no", "set.engine=dense",
                                             "run.seed=" + std::to_string(seed)});
    hits[static_cast<std::size_t>([&] {
      const double value = p.value(r.answer.to_dense());
      std::size_t best = 0;
      for (std::size_t k = 1; k < path.trace.size(); ++k)
        if (std::abs(path.trace[k].value - value) < std::abs(path.trace[best].value - value)) best = k;
      return best;
    }())] += 1;
  }
  CHECK(hits[0] == 0.0);
  const double expected = double(kRuns) / double(kSteps);
  double chi_square = 0.0;
  for (Index k = 1; k <= kSteps; ++k)
    chi_square += std::pow(hits[static_cast<std::size_t>(k)] - expected, 2) / expected;
  CHECK(chi_square < 24.3);  // seven degrees of freedom: exceeded once in a thousand
}

TEST_CASE("output: best-gap is the measured point of smallest gap, the last one included") {
  for (const std::string step : {"agnostic", "constant"})
    for (const Index steps : {1, 5, 23, 60})
      for (const std::string every : {"1", "4", "1000"}) {
        const RunResult r =
            answered("best-gap", {"stop.iterations=" + std::to_string(steps), "trace.every=" + every,
                                  "algorithm.step=" + step, "algorithm.weight=0.3"});
        double smallest = std::numeric_limits<double>::infinity();
        for (const TraceRow& row : r.trace) smallest = std::min(smallest, row.gap);
        CAPTURE(step);
        CAPTURE(steps);
        CAPTURE(every);
        CHECK(r.trace.back().iteration == steps);
        CHECK(r.measurement.gap == doctest::Approx(smallest).epsilon(1e-9));
        // Bounds of other points may show a smaller one than the point itself, whose gap has a rounding.
        constexpr double kRounding = 1e-13;
        CHECK(answered_problem().gap(r.answer.to_dense(), 4.0) >= smallest * (1.0 - 1e-6) - kRounding);
      }
}

TEST_CASE("output: without a trace best-gap still returns a point of the run") {
  const RunResult r = answered("best-gap", {"stop.iterations=40", "trace.on=no"});
  const RunResult last = answered("last", {"stop.iterations=40"});
  CHECK(same_bits(r.answer, last.answer));
}
