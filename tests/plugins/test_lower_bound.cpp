// SPDX-License-Identifier: BSD-3-Clause
// What a run says of the optimum, against optima that were computed by other means.
#include "projected_gradient.hpp"

using namespace claros;
using namespace claros::test;

namespace {

struct BoundTally {
  int runs = 0, by_target = 0;
};

/// One run to a loose target, held against the optimum.
void check_against(const SmallProblem& problem, const Optimum& best, double radius, double target,
                   const Words& more, BoundTally& tally) {
  const RunResult r = solve(
      problem.words(radius, Words{"stop.relative_gap=" + print_real(target), "stop.iterations=3000"} + more));
  const std::vector<double> x = r.answer.to_dense();
  const double value = problem.value(x), gap = problem.gap(x, radius),
               zero = problem.value(std::vector<double>(x.size(), 0.0));
  const double rounding = 1e-13 * zero;
  CAPTURE(problem.ratings().rows);
  CAPTURE(problem.ratings().cols);
  CAPTURE(radius);
  CAPTURE(target);
  CAPTURE(r.iterations);
  REQUIRE(best.value - best.lower <= 1e-10 * zero);
  CHECK(r.failure.empty());
  CHECK(r.lower_bound <= best.value * (1 + 1e-9) + rounding);
  CHECK(r.measurement.value >= best.lower * (1 - 1e-9) - rounding);
  CHECK(std::abs(r.measurement.value - value) <= 1e-11 * zero);
  CHECK(r.measurement.gap >= r.measurement.value - best.value - rounding);
  // The gap is never under-reported, and hardly over-reported; the bound of another point may be closer.
  CHECK(r.measurement.gap >= std::min(gap * (1 - 1e-6), r.measurement.value - r.lower_bound) - rounding);
  CHECK(r.measurement.gap <= gap * (1 + 1e-6) + 1e-10 * zero);
  CHECK(r.measurement.confirmed);
  CHECK(r.measurement.gap_kind == "frank-wolfe");
  ++tally.runs;
  if (r.status != Status::relative_gap) return;
  ++tally.by_target;
  CHECK(r.measurement.gap <= target * std::abs(r.measurement.value));
}

}  // namespace

TEST_CASE("the lower bound of a run is never above the optimum") {
  Engine engine(201);
  BoundTally tally;
  const double targets[] = {0.3, 0.1, 1e-2, 1e-3};
  for (int trial = 0; trial < 150; ++trial) {
    const auto rows = static_cast<Index>(1 + engine() % 12), cols = static_cast<Index>(1 + engine() % 12);
    const auto count = static_cast<Index>(2 + engine() % static_cast<std::uint64_t>(rows * cols));
    const SmallProblem problem(engine(), rows, cols, static_cast<Index>(1 + engine() % 3), count);
    double size = 0.0;
    for (const double y : problem.ratings().value) size += y * y;
    const double radius =
        std::sqrt(size) * std::pow(10.0, -1.5 + 0.002 * static_cast<double>(engine() % 1000));
    const Optimum best = optimum(problem, radius);
    const std::string engine_name = trial % 5 == 3 ? "arpack" : trial % 5 == 4 ? "dense" : "lanczos";
    for (int k = 0; k < 2; ++k)
      check_against(problem, best, radius, targets[(trial + 2 * k) % 4],
                    {"set.engine=" + engine_name, "run.seed=" + std::to_string(trial)}, tally);
  }
  CHECK(tally.runs == 300);
  CHECK(tally.by_target > 200);
}

TEST_CASE(
    "the lower bound holds on larger problems, whose solutions have a cluster of leading singular values") {
  Engine engine(202);
  int by_target = 0;
  for (int trial = 0; trial < 4; ++trial) {
    const Index rows = 72 + 5 * trial, cols = 68;  // beyond the sides that a confirmation exhausts
    const SmallProblem problem(engine(), rows, cols, 8, rows * cols / 3);
    const double radius = 40.0 + 15.0 * trial;
    const Optimum best = optimum(problem, radius, 1e-8);
    for (const double target : {1e-1, 1e-2, 1e-3}) {
      const RunResult r =
          solve(problem.words(radius, {"stop.relative_gap=" + print_real(target), "stop.iterations=4000",
                                       "algorithm.step=line-search"}));
      const std::vector<double> x = r.answer.to_dense();
      const double gap = std::min(problem.gap(x, radius), r.measurement.value - r.lower_bound);
      CAPTURE(trial);
      CAPTURE(target);
      CAPTURE(r.iterations);
      CHECK(r.status == (r.iterations < 4000 ? Status::relative_gap : Status::iterations));
      by_target += r.status == Status::relative_gap;
      CHECK(r.lower_bound <= best.value * (1 + 1e-9));
      CHECK(r.measurement.value >= best.lower);
      CHECK(r.measurement.gap >= r.measurement.value - best.value);
      CHECK(r.measurement.gap >= gap * (1 - 1e-3));
      CHECK(r.measurement.gap <= gap * 1.05);
    }
  }
  CHECK(by_target >= 11);
}
