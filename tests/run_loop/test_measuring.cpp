// SPDX-License-Identifier: BSD-3-Clause
// Counts are exact, and measuring leaves no trace in them nor in the answer.
#include "scripted.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& measured_problem() {
  static const SmallProblem made(402, 30, 24, 3, 300);
  return made;
}

const std::vector<Words> kTraces{
    {"trace.on=no"}, {"trace.on=yes"}, {"trace.every=1"}, {"trace.every=7", "trace.tolerance=1e-8"}};

}  // namespace

TEST_CASE(
    "measuring: full Frank-Wolfe counts n gradients, one linear minimisation and one singular pair a step") {
  const Index n = measured_problem().n();
  for (const Words& trace : kTraces) {
    const RunResult r = solve(measured_problem().words(9.0, Words{"stop.iterations=25"} + trace));
    CHECK(r.counts.sfo == 25 * n);
    CHECK(r.counts.sfo_indices == 25 * n);
    CHECK(r.counts.lo == 25);
    CHECK(r.counts.svd == 25);
    CHECK(r.counts.matvec >= 2 * 25);
    CHECK(r.counts.po == 0);
    CHECK(r.counts.sso == 0);
    CHECK(r.counts.hessian_products == 0);
  }
}

TEST_CASE("measuring: a line search pays for its gradients") {
  const RunResult r = solve(
      measured_problem().words(9.0, {"stop.iterations=25", "algorithm.step=line-search", "trace.on=no"}));
  CHECK(r.counts.sfo % measured_problem().n() == 0);
  CHECK(r.counts.sfo >=
        25 * 2 * measured_problem().n());  // one end of the segment, or more, beside the step's own
  CHECK(r.counts.sfo <= 25 * 23 * measured_problem().n());
}

TEST_CASE("measuring: it changes no bit of the solution and no count, for every choice of the solution") {
  for (const std::string engine : {"lanczos", "arpack", "dense"})
    for (const std::string step : {"agnostic", "line-search", "adaptive", "short"})
      for (const Words& output : {Words{"algorithm.output=last"}, Words{"algorithm.output=uniform"},
                                  Words{"algorithm.recompress=6"}}) {
        CAPTURE(engine);
        CAPTURE(step);
        const Words words = measured_problem().words(
            9.0, Words{"stop.iterations=60", "set.engine=" + engine, "algorithm.step=" + step} + output);
        const RunResult quiet = solve(words + kTraces.front());
        for (const Words& trace : kTraces) {
          const RunResult r = solve(words + trace);
          CHECK(r.counts == quiet.counts);
          CHECK(same_bits(r.answer, quiet.answer));
        }
      }
}

TEST_CASE("measuring: it changes no bit of the solution and no count, for every estimator") {
  for (const std::string& estimator : build_catalog().names(Kind::estimator)) {
    CAPTURE(estimator);
    const Words words = measured_problem().words(
        9.0, Words{"stop.iterations=40", "algorithm.weight=0.05"} + small_batches(estimator));
    const RunResult quiet = solve(words + kTraces.front());
    REQUIRE(quiet.failure.empty());
    for (const Words& trace : kTraces) {
      const RunResult r = solve(words + trace);
      CHECK(r.counts == quiet.counts);
      CHECK(r.epochs == quiet.epochs);
      CHECK(same_bits(r.answer, quiet.answer));
    }
  }
}

TEST_CASE("measuring: which points are kept for best-gap changes no step") {
  const auto iterates = [&](const Words& more) {
    const Composition c =
        compose(build_catalog(), spec_of(measured_problem().words(9.0, Words{"stop.iterations=60"} + more)));
    const RunResult r = run_composition(c);
    return std::pair(c.algorithm->iterate().to_dense(), r.counts);
  };
  const auto plain = iterates({});
  for (const Words& trace : kTraces)
    for (const std::string output : {"best-gap", "uniform"})
      CHECK(iterates(trace + Words{"algorithm.output=" + output}) == plain);
}

TEST_CASE("measuring: its time is apart from the run's") {
  const RunResult r =
      solve(measured_problem().words(9.0, {"stop.iterations=60", "trace.every=1", "set.engine=dense"}));
  CHECK(r.measuring_seconds > 0.0);
  CHECK(r.seconds > 0.0);
  CHECK(r.trace.back().seconds <= r.seconds);
}

TEST_CASE("measuring: rows come at every step asked for, else ever farther apart, and at the last") {
  const auto rows = [&](const Words& trace) {
    std::vector<Index> at;
    for (const TraceRow& row :
         solve(measured_problem().words(9.0, Words{"stop.iterations=55"} + trace)).trace)
      at.push_back(row.iteration);
    return at;
  };
  CHECK(rows({"trace.every=20"}) == std::vector<Index>{0, 20, 40, 55});
  const auto automatic = rows({});
  CHECK(automatic.front() == 0);
  CHECK(automatic.back() == 55);
  CHECK(automatic[1] == 1);
  // Two passes a row, three at once, and a tenth of the steps' passes (a gradient, a vertex and the products
  // of one).
  CHECK(automatic.size() > 5);
  CHECK(automatic.size() < 40);
  CHECK(std::is_sorted(automatic.begin(), automatic.end()));
  CHECK(rows({"trace.on=no"}).empty());
}

TEST_CASE("measuring: what rows say is what the data say") {
  const RunResult r = solve(measured_problem().words(9.0, {"stop.iterations=30", "trace.every=1"}));
  for (const TraceRow& row : r.trace) {
    CHECK(row.passes == doctest::Approx(static_cast<double>(row.iteration)));
    CHECK(row.epoch == row.iteration);
    CHECK(row.counts.lo == row.iteration);
    CHECK(row.rank_or_support <= row.iteration);
  }
  const std::vector<double> x = r.answer.to_dense();
  CHECK(r.trace.back().value == doctest::Approx(measured_problem().value(x)).epsilon(1e-12));
  const double known = std::min(measured_problem().gap(x, 9.0), r.measurement.value - r.lower_bound);
  CHECK(r.trace.back().gap == doctest::Approx(known).epsilon(1e-8));
  CHECK(r.trace.back().value == r.measurement.value);
  CHECK(r.trace.back().gap == r.measurement.gap);
}

TEST_CASE(
    "measuring: a run without set and penalty measures the norm of the gradient, which bounds nothing") {
  ScriptedRun trial([](Index t) { return 5.0 - static_cast<double>(t); });
  trial.settings.stop.iterations = 3;
  trial.settings.trace.every = 1;
  const RunResult r = trial();
  CHECK(r.measurement.value == 2.0);
  CHECK(std::isnan(r.measurement.gap));
  CHECK(r.measurement.gap_kind == "none");
  CHECK(r.measurement.residual == 1.0);
  CHECK(r.residual_scale == 1.0);
  CHECK(std::isinf(r.lower_bound));
  CHECK(trial.algorithm.told == std::vector<double>{5.0, 4.0, 3.0, 2.0});
  CHECK(trial.objective.values == 6);  // those of the start and of the point 0 too
}
