// SPDX-License-Identifier: BSD-3-Clause
// The same seed gives the same bits: twice, beside another run, and on any number of threads.
#include <thread>

#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

struct Outcome {
  std::vector<double> answer;
  Counts counts;
  double value, gap;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const Words& words) {
  const RunResult r = solve(words);
  REQUIRE(r.failure.empty());
  return {r.answer.to_dense(), r.counts, r.measurement.value, r.measurement.gap};
}

}  // namespace

TEST_CASE("reproducibility: the same seed twice is the same run, bit for bit") {
  const SmallProblem problem(501, 40, 30, 3, 500);
  for (const std::string engine : {"lanczos", "arpack", "dense"})
    for (const std::string output : {"last", "uniform"})
      for (const std::string seed : {"0", "123456789"}) {
        const Words words = problem.words(10.0, {"stop.iterations=80", "set.engine=" + engine,
                                                 "algorithm.output=" + output, "run.seed=" + seed});
        CHECK(outcome(words) == outcome(words));
      }
}

TEST_CASE(
    "reproducibility: every estimator draws the same batches from the same seed, and others from another") {
  const SmallProblem problem(506, 40, 30, 3, 500);
  for (const std::string& estimator : build_catalog().names(Kind::estimator)) {
    CAPTURE(estimator);
    const Words words =
        problem.words(10.0, Words{"stop.iterations=50", "algorithm.weight=0.05"} + small_batches(estimator));
    const Outcome one = outcome(words);
    CHECK(outcome(words) == one);
    CHECK(outcome(words + Words{"run.threads=3"}) == one);
    CHECK(outcome(words + Words{"run.seed=99"}).answer != one.answer);
  }
}

TEST_CASE("reproducibility: another seed reaches the same optimum by other bits") {
  const SmallProblem problem(502, 40, 30, 3, 500);
  const auto at = [&](const std::string& seed) {
    return outcome(
        problem.words(10.0, {"stop.relative_gap=1e-3", "stop.iterations=5000", "run.seed=" + seed}));
  };
  const Outcome one = at("1"), two = at("2");
  CHECK(one.answer != two.answer);
  CHECK(one.gap <= 1e-3 * one.value);
  CHECK(two.gap <= 1e-3 * two.value);
  CHECK(std::abs(one.value - two.value) <= std::max(one.gap, two.gap));
}

TEST_CASE("reproducibility: threads change no bit") {
  const SmallProblem problem(503, 220, 160, 4, 20000);  // several chunks of every loop
  const Words words = problem.words(60.0, {"stop.iterations=30", "algorithm.step=line-search"});
  const Outcome one = outcome(words + Words{"run.threads=1"});
  for (const std::string threads : {"2", "3"}) CHECK(outcome(words + Words{"run.threads=" + threads}) == one);
}

TEST_CASE("reproducibility: two runs at once in one process are the runs that they are alone") {
  const SmallProblem first(504, 40, 30, 3, 500), second(505, 25, 45, 2, 400);
  for (const std::string engine : {"lanczos", "arpack", "dense"}) {
    const Words words[] = {first.words(10.0, {"stop.iterations=150", "set.engine=" + engine}),
                           second.words(8.0, {"stop.iterations=150", "set.engine=" + engine, "run.seed=7"})};
    const Outcome alone[] = {outcome(words[0]), outcome(words[1])};
    (void)build_catalog();
    Outcome together[2];
    {
      std::jthread one([&] { together[0] = outcome(words[0]); });
      std::jthread two([&] { together[1] = outcome(words[1]); });
    }
    CHECK(together[0] == alone[0]);
    CHECK(together[1] == alone[1]);
  }
}
