// SPDX-License-Identifier: BSD-3-Clause
// The method on factors against proximal gradient, from starts that hold it and on functions that are not
// convex: no success without the gap.
#include <algorithms/factored/factor_steps.hpp>

#include "trace_for_test.hpp"

#include <claros/element/views.hpp>

namespace claros::test::factored {

namespace {

constexpr double kInside = 400.0, kOnBoundary = 25.0;

Words by(const std::string& algorithm, const Words& more = {}) {
  return Words{"algorithm.use=" + algorithm, "stop.iterations=4000"} + more;
}
Words ball(const SmallProblem& p, double radius) {
  return p.objective() + Words{"set.use=nuclear-ball", "set.radius=" + print_real(radius)};
}

/// Solves by both, to the same rule, which both have to meet; the values differ by a gap at most.
void check_against_proximal_gradient(const Words& problem, const Words& stop) {
  const RunResult reference = solve(problem + by("proximal-gradient", stop)),
                  r = solve(problem + by("factored", stop));
  REQUIRE_MESSAGE(is_target(reference.status), text(reference.status));
  CHECK_MESSAGE(is_target(r.status), text(r.status));
  CHECK(r.measurement.confirmed);
  CHECK(std::abs(r.measurement.value - reference.measurement.value) <=
        r.measurement.gap + reference.measurement.gap);
}

/// All entries of a diagonal matrix.
Ratings diagonal(const std::vector<double>& values) {
  const auto n = static_cast<Index>(values.size());
  Ratings ratings{n, n, {}, {}, {}, {}, {}};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      ratings.row.push_back(static_cast<std::int32_t>(i));
      ratings.col.push_back(static_cast<std::int32_t>(j));
      ratings.value.push_back(i == j ? values[static_cast<std::size_t>(i)] : 0.0);
    }
  return ratings;
}

RunResult solve_from(const Words& words, const Element& start) {
  const Composition composition = compose(build_catalog(), spec_of(words));
  return run(composition.problem(), *composition.algorithm, start, run_settings(composition));
}

Element unit(Index n, Index k, double value) {
  std::vector<double> e(static_cast<std::size_t>(n), 0.0);
  e[static_cast<std::size_t>(k)] = 1.0;
  return Element::rank_one(value, e, e);
}

}  // namespace

TEST_CASE("factored: the minimum of proximal gradient, on the boundary of the ball and inside") {
  for (const std::uint64_t seed : {21, 22, 23}) {
    const SmallProblem p(seed, 40, 30, 3, 500);
    for (const double radius : {2.0, kOnBoundary, 60.0})
      check_against_proximal_gradient(ball(p, radius), {"stop.relative_gap=1e-7"});
    check_against_proximal_gradient(ball(p, kInside), {"stop.gap=1e-7"});
  }
}

TEST_CASE("factored: every convex loss, and tall and wide matrices") {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{60, 12}, {12, 60}, {1, 20}, {20, 1}}) {
    const SmallProblem p(24, rows, cols, 1, rows * cols / 2);
    for (const std::string loss : {"squared", "huber"}) {
      CAPTURE(loss);
      CAPTURE(rows);
      check_against_proximal_gradient(ball(p, 6.0) + Words{"objective.loss=" + loss}, {"stop.gap=1e-6"});
    }
  }
}

TEST_CASE("factored: with the penalty, by the duality gap") {
  const SmallProblem p(25, 40, 30, 3, 500);
  for (const char* lambda : {"0.05*max", "0.3*max", "2*max"})
    check_against_proximal_gradient(
        p.objective() + Words{"penalty.use=nuclear", std::string("penalty.lambda=") + lambda},
        {"stop.relative_gap=1e-7"});
}

TEST_CASE("factored: semidefinite matrices") {
  const SmallProblem p(26, 14, 14, 2, 120);
  for (const std::string set : {"spectrahedron", "psd-trace"})
    for (const char* radius : {"6", "60"})
      check_against_proximal_gradient(
          p.objective() + Words{"set.use=" + set, std::string("set.radius=") + radius}, {"stop.gap=1e-6"});
}

TEST_CASE("factored: steps on factors lower f + h, most of them at full length, as right gradients do") {
  // Five convex steps, over a set one that checks the gap, ten steps on factors.
  const SmallProblem p(34, 20, 20, 4, 200);
  for (const Words& h :
       {Words{"set.use=nuclear-ball", "set.radius=30"}, Words{"set.use=psd-trace", "set.radius=30"},
        Words{"set.use=spectrahedron", "set.radius=10"},
        Words{"penalty.use=nuclear", "penalty.lambda=0.2*max"}}) {
    CAPTURE(h.front());
    const RunResult r = solve(
        p.objective() + h +
        Words{"algorithm.use=factored", "algorithm.factor_steps=10", "trace.every=1", "stop.iterations=15"});
    REQUIRE(r.trace.size() == 16);
    int whole = 0;
    for (std::size_t k = 7; k < 16; ++k) {
      CHECK(r.trace[k].value < r.trace[k - 1].value);
      whole += r.trace[k].step == 1.0;
    }
    CHECK(whole >= 7);
  }
}

TEST_CASE("factored: measurements by pairs of vectors, whose map reads no single entries") {
  const Words problem{"data.use=synthetic-sensing",
                      "data.rows=20",
                      "data.cols=15",
                      "data.rank=3",
                      "data.count=400",
                      "data.measurements=rank-one",
                      "data.truth=general",
                      "data.noise=0.1",
                      "objective.use=matrix-sensing",
                      "set.use=nuclear-ball",
                      "set.radius=0.9"};
  check_against_proximal_gradient(problem, {"stop.relative_gap=1e-6"});
}

TEST_CASE("factored: the gap that ends a run bounds the true one") {
  const SmallProblem p(27, 40, 30, 3, 500);
  const RunResult r = solve(ball(p, kOnBoundary) + by("factored", {"stop.relative_gap=1e-6"}));
  REQUIRE(text(r.status) == "relative-gap");
  CHECK(p.gap(r.answer.to_dense(), kOnBoundary) <= r.measurement.gap * (1.0 + 1e-6));
  CHECK(r.measurement.gap <= 1e-6 * r.measurement.value);
  CHECK(r.answer.nuclear_norm() <= kOnBoundary * (1.0 + 1e-9));
}

TEST_CASE("factored: a rank that is too small grows, whatever the rounds") {
  const SmallProblem p(28, 40, 30, 6, 900);
  const Words problem = ball(p, 120.0);
  const RunResult reference = solve(problem + by("proximal-gradient", {"stop.relative_gap=1e-8"}));
  const Index rank = rank_or_support(reference.answer);
  REQUIRE(rank >= 6);
  for (const Words& rounds : {Words{}, Words{"algorithm.factor_steps=300", "algorithm.convex_steps=1"},
                              Words{"algorithm.factor_steps=1"}, Words{"algorithm.memory=1"}}) {
    const Words words = problem + by("factored", rounds + Words{"stop.relative_gap=1e-7"});
    const RunResult r = solve_from(
        words, Element::rank_one(1e-3, std::vector<double>(40, 1.0), std::vector<double>(30, 1.0)));
    CHECK_MESSAGE(is_target(r.status), text(r.status));
    CHECK(r.measurement.value <= reference.measurement.value * (1.0 + 1e-7));
    CHECK(rank_or_support(r.answer) >= rank);
  }
}

TEST_CASE("factored: critical points of the function of factors do not hold it") {
  // G V = G'U = 0, and G V = -lambda U: the second and the third value of the data alone.
  const SmallProblem p(diagonal({5.0, 4.0, 3.0, 1.0}));
  for (const double radius : {3.0, 4.0, 6.0, 12.5, 20.0})
    for (const Index k : {1, 2, 3})
      for (const double value : {0.0, 1.0, 3.0}) {
        const Words words = ball(p, radius) + by("factored", {"stop.gap=1e-9"});
        const RunResult r = solve_from(words, unit(4, k, value));
        CAPTURE(radius);
        CHECK_MESSAGE(is_target(r.status), text(r.status));
        CHECK(p.gap(r.answer.to_dense(), radius) <= 1e-9);
      }
}

TEST_CASE("factored: no success without a gap") {
  const SmallProblem p(29, 40, 30, 3, 500);
  const RunResult few = solve(ball(p, kOnBoundary) +
                              Words{"algorithm.use=factored", "stop.iterations=6", "stop.relative_gap=1e-9"});
  CHECK(text(few.status) == "iterations");
  CHECK(p.gap(few.answer.to_dense(), kOnBoundary) > 1e-9 * few.measurement.value);
}

TEST_CASE("factored: of a loss that is not convex no minimum is claimed") {
  const SmallProblem p(30, 30, 20, 2, 300);
  const RunResult r =
      solve(ball(p, kOnBoundary) + by("factored", {"objective.loss=robust", "stop.gap=1e-7"}));
  CHECK_FALSE(r.measurement.bounds_minimum);
  CHECK_FALSE(std::isfinite(r.lower_bound));
  CHECK(r.measurement.value <=
        solve(ball(p, kOnBoundary) +
              Words{"algorithm.use=factored", "objective.loss=robust", "stop.iterations=1"})
            .measurement.value);
}

TEST_CASE("factored: a run resumed is the same run, and so is one on two threads") {
  const SmallProblem p(31, 40, 30, 3, 500);
  const Words words = ball(p, kOnBoundary) + Words{"algorithm.use=factored", "algorithm.factor_steps=4",
                                                   "algorithm.convex_steps=3", "stop.iterations=30"};
  const Saved saved = solve_and_save(words, 3);
  REQUIRE(saved.result.failure.empty());
  for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  CHECK(same_bits(solve(words + Words{"run.threads=2"}).answer, saved.result.answer));
  const Words penalised = p.objective() + Words{"penalty.use=nuclear", "penalty.lambda=0.1*max",
                                                "algorithm.use=factored", "stop.iterations=40"};
  const Saved other = solve_and_save(penalised, 7);
  for (const std::string& state : other.states) check_same(resumed(penalised, state), other.result);
}

TEST_CASE("factored: what has no factors is refused with the reason") {
  const SmallProblem p(32, 10, 8, 2, 40);
  const auto refused = [&](const Words& words) {
    return refusal(ErrorKind::usage, [&] {
      (void)run_composition(compose(build_catalog(), spec_of(p.objective() + words + by("factored"))));
    });
  };
  for (const Words& words :
       {Words{}, Words{"set.use=l1-ball", "set.radius=1"}, Words{"penalty.use=l1", "penalty.lambda=1"},
        Words{"penalty.use=nuclear", "penalty.lambda=1", "penalty.rho=2"},
        Words{"penalty.use=nuclear", "penalty.lambda=0"}})
    check_mentions(refused(words), {"nuclear"});
  check_mentions(refused({"set.use=nuclear-ball", "set.radius=1", "estimator.use=sg"}), {"exact"});
}

/// f'' of the squared loss is 1/n at every rating, and 0 elsewhere.
TEST_CASE("factored: the diagonal of the Hessian of factors is that of the observed entries") {
  const SmallProblem p(31, 12, 9, 2, 40);
  const Composition c = compose(build_catalog(), spec_of(ball(p, 5.0) + by("factored")));
  const Problem problem = c.problem();
  FactorFunction function;
  function.start(problem, {.size = 5.0});
  std::vector<double> u(12), v(9), other(12), next(9);
  Engine engine(5);
  std::normal_distribution<double> normal;
  for (std::vector<double>* side : {&u, &v, &other, &next})
    for (double& x : *side) x = normal(engine);
  Element X = Element::rank_one(0.3, u, v);
  X.add(0.2, Element::rank_one(1.0, other, next));
  (void)factor_view(X);
  const std::vector<double> w = function.factors(X);
  REQUIRE(function.rank() == 2);
  Element at(X.shape()), G(X.shape());
  (void)function.value(w, at);
  problem.objective->add_gradient(at, Batch::all(), 1.0, G);
  std::vector<double> inverse(w.size());
  function.inverse_diagonal(w, at, G, 1.0, inverse);

  double length = 0.0;
  for (const double x : w) length += x * x;
  const double scale = 2.0 * 5.0 / length, of_w = std::max(0.0, -2.0 * inner(G, at) / length);
  std::vector<double> second(w.size(), of_w);
  const auto seen = [&](std::size_t e) { return std::pair(p.ratings().row[e], p.ratings().col[e]); };
  for (std::size_t e = 0; e < p.ratings().value.size(); ++e)
    for (std::size_t k = 0; k < 2; ++k) {
      const auto i = k * 12 + static_cast<std::size_t>(seen(e).first),
                 j = 24 + k * 9 + static_cast<std::size_t>(seen(e).second);
      second[i] += scale * scale * w[j] * w[j] / static_cast<double>(p.n());
      second[j] += scale * scale * w[i] * w[i] / static_cast<double>(p.n());
    }
  std::vector<double> sorted(second);
  std::ranges::sort(sorted);
  const double least = 0.02 * sorted[sorted.size() / 2];
  for (std::size_t k = 0; k < w.size(); ++k)
    CHECK(inverse[k] == doctest::Approx(1.0 / std::max(second[k], least)).epsilon(1e-10));
}

/// f of all entries of diag(5, 4, 1 + 1e-5, 0.5) over a ball in which the minimum is diag(4, 3, 1e-5, 0).
TEST_CASE("factored: a pair that is missing from a stationary point is added, as long as f asks for") {
  constexpr double kExcess = 1e-5;
  const SmallProblem p(diagonal({5.0, 4.0, 1.0 + kExcess, 0.5}));
  const double radius = 7.0 + kExcess, n = 16.0;
  const Composition c = compose(build_catalog(), spec_of(ball(p, radius) + by("factored")));
  const Problem problem = c.problem();
  Sampler sampler(c.context.stream(Purpose::sampling), problem.objective->terms());
  c.estimator->start(*c.objective, sampler);
  FactorSteps steps(3, c.context.stream(Purpose::output));
  steps.start(problem, {.size = radius});
  Element X = unit(4, 0, 4.0 + 0.5 * kExcess), G(X.shape()), vertex;
  X.add(1.0, unit(4, 1, 3.0 + 0.5 * kExcess));
  problem.objective->add_gradient(X, Batch::all(), 1.0, G);
  (void)problem.linear_oracle->minimize(G, {1e-12, false}, vertex);
  const double before = problem.objective->value(X), minimum = 3.25 / (2.0 * n);

  const LowRankForm& low = *only_low_rank(vertex);
  const auto u = low.store->left(0), v = low.store->right(0);
  std::vector<double> left(u.begin(), u.end());
  for (double& x : left) x = -x;
  const Element turned =  // the same, with the sign elsewhere
      Element::rank_one(-vertex.parts().front().weight * low.weights.front(), left, {v.begin(), v.end()});
  for (const Element& at : {vertex, turned}) {
    REQUIRE(steps.begin(X, G, at, 100.0 / n, FactorSteps::Growth::stuck));
    CHECK(steps.excess() == doctest::Approx(1.5 * kExcess).epsilon(1e-3));
    CHECK(steps.point().columns() == 3);
    CHECK(steps.value() - minimum <= 0.5 * (before - minimum));
    CHECK(steps.value() >= minimum - 1e-15);
  }
}

}  // namespace claros::test::factored
