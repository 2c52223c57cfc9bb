// SPDX-License-Identifier: BSD-3-Clause
// Penalties that no multiple of the squared norm makes convex (l0, capped-l1, the rank): runs leave the
// start, claim no gap, and end where their proximal step stands still; what needs convexity refuses them.
#include "../core/numbers.hpp"

#include <claros/results/certified.hpp>
#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const Words kSparseRows{"data.use=synthetic-regression",
                        "data.rows=200",
                        "data.cols=40",
                        "data.nonzero=4",
                        "data.seed=3",
                        "objective.use=linear-model",
                        "algorithm.use=proximal-gradient"};
const Words kRankMatrix{"data.use=synthetic", "data.rows=30",
                        "data.cols=25",       "data.rank=2",
                        "data.observed=0.6",  "data.corrupted=0",
                        "data.seed=3",        "objective.use=matrix-completion",
                        "penalty.use=rank",   "algorithm.use=proximal-gradient"};

double value_at_start(const Words& words) {
  return solve(words + Words{"stop.iterations=0"}).measurement.value;
}

std::string running_refused(const Words& words) {
  return refusal(ErrorKind::usage, [&] { (void)solve(words); });
}

}  // namespace

TEST_CASE(
    "nonconvex penalties: l0 ends at a fixed point of hard thresholding, with the support of the truth and "
    "without a gap") {
  const double lambda = 0.02;
  const Composition c =
      compose(build_catalog(), spec_of(kSparseRows + Words{"penalty.use=l0", "penalty.lambda=0.02",
                                                           "stop.residual=1e-6", "stop.iterations=2000"}));
  const RunResult r = run_composition(c);
  CHECK(r.status == Status::residual);
  CHECK(std::isnan(r.measurement.gap));
  CHECK_FALSE(r.measurement.confirmed);
  CHECK(contains(certified_by(r), "not bounded"));
  Objective& f = *c.problem().objective;
  Element g(r.answer.shape());
  f.add_gradient(r.answer, Batch::all(), 1.0, g);
  const std::vector<double> x = r.answer.to_dense(), slope = g.to_dense(),
                            truth = c.problem().truth->to_dense();
  const double L = *f.constants().smoothness, least = std::sqrt(2.0 * lambda / L);
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (truth[j] != 0.0) CHECK(x[j] != 0.0);
    if (x[j] != 0.0) {
      CHECK(std::abs(slope[j]) < 1e-5);
      CHECK(std::abs(x[j]) >= least);
    } else {
      CHECK(std::abs(slope[j]) / L <= least);
    }
  }
  CHECK(std::ranges::count_if(x, [](double entry) { return entry != 0.0; }) <= 6);
}

TEST_CASE("nonconvex penalties: where short stochastic steps stand still at 0, no target is met") {
  const Words words =
      kSparseRows + Words{"penalty.use=l0", "estimator.use=svrg", "stop.residual=1e-3", "stop.passes=100"};
  const RunResult stuck = solve(words + Words{"penalty.lambda=0.02"});
  CHECK(stuck.status == Status::passes);
  CHECK(stuck.measurement.residual > 0.5);
  CHECK(stuck.measurement.value == value_at_start(words + Words{"penalty.lambda=0.02"}));
  CHECK(solve(words + Words{"penalty.lambda=0.002"}).measurement.value < 0.5 * stuck.measurement.value);
}

TEST_CASE(
    "nonconvex penalties: the rank of the truth is found, and a limit of the rank changes nothing above it") {
  const Words words = kRankMatrix + Words{"penalty.lambda=0.1", "estimator.use=full", "stop.residual=1e-5",
                                          "stop.iterations=5000"};
  const RunResult r = solve(words);
  CHECK(r.status == Status::residual);
  CHECK(std::isnan(r.measurement.gap));
  CHECK(r.answer.columns() == 2);
  CHECK(r.measurement.value == doctest::Approx(0.2).epsilon(1e-3));
  CHECK(r.measurement.rmse_truth < 1e-3);
  const RunResult limited = solve(words + Words{"algorithm.rank=5"});
  CHECK(limited.answer.columns() == 2);
  CHECK(limited.measurement.value == doctest::Approx(r.measurement.value).epsilon(1e-4));
}

TEST_CASE("nonconvex penalties: capped l1 does not shrink large entries, where l1 does") {
  const auto largest = [](const Words& penalty) {
    const std::vector<double> x =
        solve(kSparseRows + penalty +
              Words{"estimator.use=full", "stop.residual=1e-8", "stop.iterations=5000"})
            .answer.to_dense();
    return std::ranges::max(x, {}, [](double entry) { return std::abs(entry); });
  };
  const double free = largest({"penalty.use=l0", "penalty.lambda=0.02"}),
               capped = largest({"penalty.use=capped-l1", "penalty.lambda=0.1", "penalty.theta=0.3"}),
               shrunk = largest({"penalty.use=l1", "penalty.lambda=0.1"});
  CHECK(std::abs(capped - free) < 0.02);
  CHECK(std::abs(shrunk - free) > 0.05);
}

TEST_CASE("nonconvex penalties: what needs convexity refuses them, with what does not") {
  for (const std::string name : {"l0", "capped-l1", "rank"}) {
    const Words words =
        kSparseRows + Words{"penalty.use=" + name, "penalty.lambda=0.02", "stop.iterations=3"};
    CHECK(composing_refused(words) == "accepted");
    const std::string averaged = composing_refused(words + Words{"algorithm.use=dual-averaging"});
    for (const std::string& part : Words{"algorithm/dual-averaging", "is not weakly convex",
                                         "penalty/" + name, "these take it: proximal-gradient"})
      CHECK_MESSAGE(contains(averaged, part), averaged);
  }
  const Words l0 = kSparseRows + Words{"penalty.use=l0", "penalty.lambda=0.02", "stop.iterations=3"};
  CHECK(contains(running_refused(l0 + Words{"algorithm.accelerate=yes", "estimator.use=full"}),
                 "algorithm.accelerate"));
  CHECK(
      contains(running_refused(l0 + Words{"algorithm.step=theory", "estimator.use=svrg"}), "algorithm.step"));
  CHECK(contains(composing_refused(l0 + Words{"stop.gap=1e-3"}), "stop.residual"));
  CHECK(contains(composing_refused(l0 + Words{"penalty.lambda=0.1*max"}), "no largest useful value"));
}
