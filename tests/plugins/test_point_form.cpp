// SPDX-License-Identifier: BSD-3-Clause
// Where X is an array and where it stays in its vertices; batches of stochastic Frank-Wolfe by its theory;
// Mokhtari's average.
#include "linear_problem.hpp"
#include "projected_gradient.hpp"
#include "trace_for_test.hpp"

#include <claros/sdk/dense_access.hpp>

#include <cmath>
#include <fstream>

using namespace claros;
using namespace claros::test;

namespace {

const Words kDrawn{"data.use=synthetic-sparse-low-rank",
                   "data.rows=20",
                   "data.rank=2",
                   "data.seed=3",
                   "data.noise=0.3",
                   "data.largest=3",
                   "objective.use=noisy-matrix",
                   "objective.sigma=0.5",
                   "set.use=nuclear-ball",
                   "set.radius=30"};
const Words kSmoothed{"smoother.use=huber-l1", "smoother.lambda=0.2", "smoother.mu=0.1"};
const Words kSfw{"algorithm.use=frank-wolfe", "estimator.use=sg", "algorithm.batch=theory"};

const std::vector<Words> kMethods{
    {"algorithm.use=frank-wolfe"}, {"algorithm.use=sliding"}, {"algorithm.use=gcg", "algorithm.rank=3"}};

/// (0.5 d (t+2)/(L D))^2 draws in step t, d = 20 and D = 60.
Index sfw_batch(Index t, double variance, double L) {
  return std::max<Index>(
      1, static_cast<Index>(
             std::ceil(variance * std::pow(static_cast<double>(t + 2) / (L * 60.0), 2) * (1.0 - 1e-12))));
}

}  // namespace

TEST_CASE("X is an array where gradients are, and goes on from every state to the bit") {
  for (const Words& method : kMethods)
    for (const Words& more : {Words{}, kSmoothed}) {
      const Words words =
          kDrawn + more + method + Words{"estimator.use=sg", "estimator.batch=9", "stop.iterations=12"};
      const Saved saved = solve_and_save(words);
      CHECK(sdk::lone_dense(saved.result.answer));
      REQUIRE(saved.states.size() > 8);
      for (const std::string& state : saved.states) {
        const RunResult again = resumed(words, state);
        REQUIRE_MESSAGE(again.failure.empty(), again.failure);
        CHECK(same_bits(again.answer, saved.result.answer));
        CHECK(again.counts == saved.result.counts);
      }
    }
}

TEST_CASE(
    "X keeps its vertices where gradients are sparse, with a smoother that keeps them too, and where f "
    "follows an image of X") {
  const SmallProblem ratings(5, 200, 190, 2, 900);
  const Words completion = ratings.objective() + Words{"set.use=nuclear-ball", "set.radius=50",
                                                       "stop.iterations=25", "trace.on=no"};
  for (const Words& method : kMethods)
    for (const Words& more : {Words{}, Words{"smoother.use=squared-norm", "smoother.lambda=0.01"}})
      CHECK(only_low_rank(solve(completion + more + method).answer) != nullptr);
  const Words regression{"data.use=synthetic-matrix-regression",
                         "data.rows=12",
                         "data.cols=11",
                         "data.rank=2",
                         "data.count=150",
                         "data.seed=1",
                         "objective.use=linear-model",
                         "set.use=nuclear-ball",
                         "set.radius=5",
                         "stop.iterations=10"};
  CHECK(only_low_rank(solve(regression + kMethods[0]).answer) != nullptr);
}

TEST_CASE("frank-wolfe comes to the same points in either form") {
  const Words words = kDrawn + kSmoothed +
                      Words{"objective.draws=40", "algorithm.use=frank-wolfe",
                            "algorithm.oracle_tolerance=1e-10", "stop.iterations=30"};
  const RunResult run = solve(words);
  const Composition c = compose(build_catalog(), spec_of(words));
  Objective& f = *c.problem().objective;  // with the smoother
  Dense x(400, 0.0);
  for (int t = 0; t < 30; ++t) {
    const Element at = Element::dense(Shape::matrix(20, 20), x);
    Element g(at.shape());
    f.add_gradient(at, Batch::all(), 1.0, g);
    const TruncatedSvd svd = dense_svd(20, 20, g.to_dense());
    const double gamma = 2.0 / (t + 2.0);
    for (std::size_t j = 0; j < 20; ++j)
      for (std::size_t i = 0; i < 20; ++i)
        x[20 * j + i] += gamma * (-30.0 * svd.u[i] * svd.v[j] - x[20 * j + i]);
  }
  CHECK(distance(run.answer.to_dense(), x) <= 1e-3 * size(x));
}

TEST_CASE(
    "stochastic Frank-Wolfe: the batches of Hazan and Luo, of L with the smoother, at least 1 and at most "
    "all") {
  for (const double variance : {100.0, 1e6}) {
    const Words given{"algorithm.variance=" + print_real(variance)};
    Index plain = 0, smoothed = 0;
    for (Index t = 0; t < 20; ++t)
      plain += sfw_batch(t, variance, 1.0), smoothed += sfw_batch(t, variance, 3.0);
    CHECK(solve(kDrawn + kSfw + given + Words{"stop.iterations=20", "trace.on=no"}).counts.sfo == plain);
    CHECK(solve(kDrawn + kSmoothed + kSfw + given + Words{"stop.iterations=20", "trace.on=no"}).counts.sfo ==
          smoothed);
    CHECK(solve(kDrawn + kSmoothed + kSfw + given +
                Words{"algorithm.smoothness=1", "stop.iterations=20", "trace.on=no"})
              .counts.sfo == plain);
  }
  // Of a sum of 40 draws all of them, as the full gradient.
  const Words sum = kDrawn + Words{"objective.draws=40", "stop.iterations=15", "trace.on=no"};
  const RunResult whole = solve(sum + kSfw + Words{"algorithm.variance=1e12"}),
                  full = solve(sum + Words{"algorithm.use=frank-wolfe"});
  CHECK(whole.counts.sfo == full.counts.sfo);
  CHECK(distance(whole.answer.to_dense(), full.answer.to_dense()) <= 1e-9 * norm(full.answer));
  const Words words = kDrawn + kSfw + Words{"algorithm.variance=5e4", "stop.iterations=10"};
  const Saved saved = solve_and_save(words);
  for (const std::string& state : saved.states)
    CHECK(same_bits(resumed(words, state).answer, saved.result.answer));
}

TEST_CASE("stochastic Frank-Wolfe is as fast as its theorem says, on average") {
  const Words exact =
      kDrawn + Words{"objective.sigma=0", "objective.draws=1", "algorithm.use=proximal-gradient",
                     "stop.relative_gap=1e-9", "stop.iterations=20000"};
  const double least = solve(exact).measurement.value;
  constexpr int kRuns = 6;
  std::vector<double> mean(40, 0.0);
  for (int seed = 0; seed < kRuns; ++seed) {
    const RunResult r = solve(kDrawn + kSfw +
                              Words{"algorithm.variance=100", "stop.iterations=40", "trace.every=1",
                                    "run.seed=" + std::to_string(seed)});
    for (const TraceRow& row : r.trace)
      if (row.iteration > 0) mean[static_cast<std::size_t>(row.iteration - 1)] += (row.value - least) / kRuns;
  }
  for (std::size_t k = 1; k <= mean.size(); ++k)
    CHECK(mean[k - 1] <= 4.0 * 60.0 * 60.0 / static_cast<double>(k + 2));
  CHECK(mean.back() >= 0.0);
}

TEST_CASE(
    "stochastic Frank-Wolfe refuses batches without its constants, all at once, and weights of which the "
    "theorem does not speak") {
  check_mentions(refusal(ErrorKind::usage, [&] { (void)solve(kDrawn + kSfw + Words{"stop.iterations=2"}); }),
                 {"variance", "sigma^2"});
  check_mentions(
      refusal(ErrorKind::usage,
              [&] {
                (void)solve(kDrawn + kSfw +
                            Words{"algorithm.variance=1", "algorithm.step=short", "stop.iterations=2"});
              }),
      {"batch", "agnostic", "short"});
  check_mentions(
      refusal(ErrorKind::usage,
              [&] {
                (void)solve(kDrawn + kSfw +
                            Words{"algorithm.variance=1", "algorithm.offset=3", "stop.iterations=2"});
              }),
      {"offset", "2/(t+2)", "is 3"});
  const TestFolder folder;
  std::ofstream(folder / "counts.svm") << "1 1:0.5 2:0.3\n0 1:0.1 2:0.7\n3 1:0.2 2:0.4\n";
  const Words poisson{"objective.use=linear-model", "objective.loss=poisson",
                      "objective.data=" + (folder / "counts.svm").string(), "set.use=l1-ball",
                      "set.radius=1"};
  check_mentions(refusal(ErrorKind::usage, [&] { (void)solve(poisson + kSfw + Words{"stop.iterations=2"}); }),
                 {"smoothness", "variance"});
  for (const std::string bad : {"variance=-1", "variance=nan", "diameter=-1", "batch=3"})
    check_mentions(composing_refused(kDrawn + kSfw + Words{"algorithm." + bad, "stop.iterations=2"}),
                   {bad.substr(0, 5).c_str()});
}

TEST_CASE(
    "momentum on draws: d = (1 - rho) d + rho g with rho = 4/(t+8)^(2/3), and Frank-Wolfe along it beats one "
    "draw a step") {
  const Composition c =
      compose(build_catalog(), spec_of(kDrawn + Words{"stop.iterations=1", "algorithm.use=frank-wolfe",
                                                      "estimator.use=sg", "estimator.batch=1"}));
  Objective& f = *c.objective;
  const auto d = estimator("momentum", {{"batch", "2"}});
  Sampler one(RandomStream(3, Purpose::test), f.terms()), two(RandomStream(3, Purpose::test), f.terms());
  d->start(f, one);
  Dense expected(400, 0.0);
  for (int t = 0; t < 6; ++t) {
    const Element x = Element::dense(f.shape(), normals(static_cast<std::uint64_t>(t + 1), 400));
    if (d->epoch_due()) d->begin_epoch(x);
    const Dense g = gradient(f, x, two.draw(2, true));
    const double rho = t == 0 ? 1.0 : 4.0 / std::pow(t + 8.0, 2.0 / 3.0);
    for (std::size_t j = 0; j < g.size(); ++j) expected[j] = (1.0 - rho) * expected[j] + rho * g[j];
    REQUIRE(distance(d->estimate(x).to_dense(), expected) <= 1e-12 * size(expected));
  }
  const Words steps = kDrawn + Words{"algorithm.use=frank-wolfe", "objective.sigma=5", "estimator.batch=1",
                                     "stop.iterations=400", "trace.on=no"};
  const double averaged = solve(steps + Words{"estimator.use=momentum"}).measurement.value,
               plain = solve(steps + Words{"estimator.use=sg"}).measurement.value;
  CHECK(averaged < 0.8 * plain);
}

TEST_CASE(
    "SVRGCG of an expectation needs no size of snapshots beside its theory; who else takes them does, and "
    "hears of all that is missing") {
  const Words svrg = kDrawn + kSmoothed + Words{"estimator.use=svrg", "stop.iterations=5", "trace.on=no"};
  const Words theory{"algorithm.use=gcg", "algorithm.batch=theory", "algorithm.length=theory",
                     "algorithm.variance=100", "algorithm.initial_gap=800"};
  const RunResult without = solve(svrg + theory),
                  with = solve(svrg + theory + Words{"estimator.snapshot=100"});
  CHECK(without.counts == with.counts);
  CHECK(same_bits(without.answer, with.answer));
  check_mentions(refusal(ErrorKind::usage, [&] { (void)solve(svrg + Words{"algorithm.use=gcg"}); }),
                 {"snapshot", "expectation"});
  check_mentions(refusal(ErrorKind::usage, [&] { (void)solve(svrg + Words{"algorithm.use=frank-wolfe"}); }),
                 {"snapshot", "expectation"});
  check_mentions(refusal(ErrorKind::usage,
                         [&] {
                           (void)solve(svrg + Words{"algorithm.use=gcg", "algorithm.batch=theory",
                                                    "algorithm.length=theory"});
                         }),
                 {"variance"});
  check_mentions(refusal(ErrorKind::usage,
                         [&] {
                           (void)solve(kDrawn +
                                       Words{"smoother.use=huber-l1", "smoother.lambda=1",
                                             "smoother.mu=1e-12", "stop.iterations=5", "estimator.use=svrg"} +
                                       theory);
                         }),
                 {"steps vanish", "eta = ", "alpha = 1", "beta = ", "smoother's",
                  "to halve the error takes ln 2/eta = ", "smoothing parameter"});
  check_mentions(composing_refused({"data.use=synthetic-sparse-low-rank", "data.rows=3", "data.rank=0",
                                    "objective.use=noisy-matrix", "stop.iterations=2"}),
                 {"data.rank", "0"});
}
