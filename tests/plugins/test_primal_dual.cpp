// SPDX-License-Identifier: BSD-3-Clause
// primal-dual beside the paper's box, other methods and other plugins; composed beside what defines it.
#include "convex_cases.hpp"

#include <shared/penalties/composed_penalty.hpp>

#include <cmath>
#include <fstream>
#include <numeric>

namespace claros::test::primal_dual {

namespace {

using Values = std::vector<double>;

const Words kData{"data.use=synthetic-regression",
                  "data.rows=40",
                  "data.cols=12",
                  "data.nonzero=4",
                  "data.noise=0.1",
                  "data.seed=3",
                  "objective.use=linear-model"};
const Words kChain{"penalty.use=composed", "penalty.inner.use=l1", "penalty.inner.lambda=0.05"};
const Words kMethod{"algorithm.use=primal-dual"};

/// sum |x_i - x_j| w over the edges of a cycle with a chord.
const char* const kEdges = "1 2 1; 2 3 2; 3 4 1; 4 5 0.5; 5 6 1; 6 1 1; 2 5 3";
double variation(const Values& x) {
  const auto d = [&](std::size_t i, std::size_t j) { return std::abs(x[i - 1] - x[j - 1]); };
  return d(1, 2) + 2 * d(2, 3) + d(3, 4) + 0.5 * d(4, 5) + d(5, 6) + d(6, 1) + 3 * d(2, 5);
}
Words graph_words() {
  return {"objective.use=distance", "objective.data=1 2.5 -1 0.5 3 0.2", "penalty.use=composed",
          "penalty.map=graph", "penalty.data=" + std::string(kEdges)};
}
Words with_l1(double lambda) {
  return {"penalty.inner.use=l1", "penalty.inner.lambda=" + print_real(lambda)};
}

/// Three steps of Condat's Algorithm 3.2 on the chain of l1, by hand.
Values by_hand(Objective& f, double tau, double sigma, double lambda, int steps) {
  const auto n = static_cast<std::size_t>(f.shape().rows);
  Values x(n, 0.0), y(n - 1, 0.0), ahead(n, 0.0);
  for (int t = 0; t < steps; ++t) {
    for (std::size_t e = 0; e + 1 < n; ++e)
      y[e] = std::clamp(y[e] + sigma * (ahead[e + 1] - ahead[e]), -lambda, lambda);
    Element g(f.shape());
    f.add_gradient(Element::dense(f.shape(), x), Batch::all(), 1.0, g);
    const Values slope = g.to_dense(), before = x;
    for (std::size_t j = 0; j < n; ++j) {
      const double adjoint = (j > 0 ? y[j - 1] : 0.0) - (j + 1 < n ? y[j] : 0.0);
      x[j] = std::clamp(x[j] - tau * (slope[j] + adjoint), -1.0, 1.0);
      ahead[j] = 2.0 * x[j] - before[j];
    }
  }
  return x;
}

}  // namespace

TEST_CASE("primal-dual is the paper's box") {
  const Words words =
      kData + kChain + kMethod + Words{"set.use=box", "set.lower=-1", "set.upper=1", "algorithm.balance=0.5"};
  const Composition c = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
  const double L = *c.objective->constants().smoothness;
  // w^2 = 0.5, tau = eta/w, sigma = eta w, with w B^2 eta^2 + 0.55 L eta = w.
  auto* h = query<sdk::ComposedPenalty>(*c.penalty);
  (void)h->map(c.objective->shape());
  const double w = std::sqrt(0.5), half = 0.55 * L, B2 = h->squared_norm();
  const double eta = 2.0 * w / (half + std::sqrt(half * half + 4.0 * w * w * B2));
  for (const int steps : {1, 2, 7}) {
    const RunResult r = solve(words + Words{"stop.iterations=" + std::to_string(steps)});
    const Values x = r.answer.to_dense(), expected = by_hand(*c.objective, eta / w, eta * w, 0.05, steps);
    for (std::size_t j = 0; j < x.size(); ++j) CHECK(x[j] == doctest::Approx(expected[j]).epsilon(1e-12));
  }
}

TEST_CASE("primal-dual: a chain is tv, to a gap that the other's value obeys") {
  for (const std::string loss : {"squared", "huber"})
    for (const Words& set : {Words{}, Words{"set.use=box", "set.lower=-0.5", "set.upper=0.8"}}) {
      const Words problem =
          kData + set + Words{"objective.loss=" + loss, "stop.relative_gap=1e-8", "stop.iterations=100000"};
      const RunResult ours = solve(problem + kChain + kMethod);
      const RunResult other = solve(problem + Words{"penalty.use=tv", "penalty.lambda=0.05"});
      CAPTURE(loss + (set.empty() ? "" : " on a box"));
      CHECK_MESSAGE(ours.status == Status::relative_gap, ours.failure);
      CHECK(other.status == Status::relative_gap);
      CHECK(ours.measurement.value - ours.measurement.gap <= other.measurement.value + 1e-13);
      CHECK(other.measurement.value - other.measurement.gap <= ours.measurement.value + 1e-13);
      CHECK(ours.measurement.value == doctest::Approx(other.measurement.value).epsilon(2e-8));
    }
}

TEST_CASE("composed: a factor before g is a factor within it") {
  const Words stop{"stop.relative_gap=1e-9", "stop.iterations=100000"};
  for (const std::string method : {"primal-dual", "proximal-gradient"})
    for (const auto& [within, before] :
         {std::pair{Words{"penalty.inner.use=l1", "penalty.inner.lambda=0.05"},
                    Words{"penalty.inner.use=l1", "penalty.inner.lambda=2"}},
          {Words{"penalty.inner.use=elastic-net", "penalty.inner.lambda=0.05"},
           Words{"penalty.inner.use=elastic-net", "penalty.inner.lambda=2"}}}) {
      CAPTURE(method);
      const Words problem = kData + stop + Words{"penalty.use=composed", "algorithm.use=" + method};
      const RunResult one = solve(problem + within),
                      other = solve(problem + before + Words{"penalty.lambda=0.025"});
      CHECK_MESSAGE(one.status == Status::relative_gap, one.failure);
      CHECK_MESSAGE(other.status == Status::relative_gap, other.failure);
      CHECK(other.measurement.value == doctest::Approx(one.measurement.value).epsilon(3e-9));
      CHECK(other.measurement.value - other.measurement.gap <= one.measurement.value + 1e-13);
      const Values x = one.answer.to_dense(), y = other.answer.to_dense();
      for (std::size_t j = 0; j < x.size(); ++j)
        CHECK(y[j] == doctest::Approx(x[j]).epsilon(1e-3).scale(0.1));
    }
}

TEST_CASE("primal-dual: no gap along a run is below what the value is above the minimum") {
  const Words problem = graph_words() + with_l1(0.3);
  const double minimum =
      solve(problem + Words{"stop.relative_gap=1e-12", "stop.iterations=100000"} + kMethod).measurement.value;
  for (const Words& more : {Words{}, Words{"set.use=box", "set.lower=-10", "set.upper=10"}}) {
    const RunResult r = solve(problem + more + kMethod + Words{"stop.iterations=60", "trace.every=1"});
    std::size_t finite = 0;
    for (const TraceRow& row : r.trace) {
      if (!std::isfinite(row.gap)) continue;
      ++finite;
      CHECK(row.gap >= row.value - minimum - 1e-12);
    }
    CHECK(finite > 40);
  }
}

TEST_CASE("primal-dual: with any penalty, with none, and with an intercept") {
  for (const Words& problem :
       {kData + Words{"penalty.use=l1", "penalty.lambda=0.1"},
        kData + Words{"set.use=l1-ball", "set.radius=1"},
        kData + Words{"penalty.use=l1", "penalty.lambda=0.1", "set.use=l2-ball", "set.radius=0.7"},
        kData + Words{"objective.intercept=true"} + kChain}) {
    CAPTURE(problem.back());
    const Words stop{"stop.residual=1e-7", "stop.iterations=20000"};
    const RunResult ours = solve(problem + stop + kMethod), other = solve(problem + stop);
    CHECK_MESSAGE(ours.status == Status::residual, ours.failure);
    CHECK(ours.measurement.value == doctest::Approx(other.measurement.value).epsilon(1e-8));
  }
}

TEST_CASE("primal-dual: the same bits on two threads") {
  const Words words = kData + kChain + kMethod;
  const RunResult one = solve(words + Words{"stop.iterations=40"}),
                  two = solve(words + Words{"stop.iterations=40", "run.threads=2"});
  CHECK(same_bits(one.answer, two.answer));
}

TEST_CASE("primal-dual and composed refuse what they cannot work with") {
  const Words stop{"stop.iterations=5"};
  const auto run_refused = [](const Words& words) {
    return refusal(ErrorKind::usage, [&] { (void)solve(words); });
  };
  CHECK(contains(run_refused(kData + kMethod + stop + Words{"penalty.use=mcp", "penalty.lambda=0.1"}),
                 "expected a convex penalty"));
  CHECK(contains(run_refused(kData + kChain + kMethod + stop + Words{"algorithm.step=1e6"}),
                 "expected at most"));
  CHECK(contains(
      run_refused(kData + kMethod + stop + Words{"penalty.use=composed", "penalty.inner.use=nonnegative"}),
      "finite everywhere"));
  CHECK(contains(run_refused(kData + kMethod + stop +
                             Words{"penalty.use=composed", "penalty.inner.use=tv", "penalty.inner.lambda=1"}),
                 "grows in all directions"));
  CHECK(contains(run_refused(kData + kMethod + stop + kChain + Words{"penalty.map=graph"}),
                 "expected the edges"));
}

TEST_CASE("composed: value, adjoint, conjugate and proximal step of a graph") {
  Engine engine(4);
  const Shape shape = Shape::vector(6);
  const auto h = compose(build_catalog(), spec_of(graph_words() + with_l1(0.7) + Words{"stop.iterations=1"}));
  auto* composed = query<sdk::ComposedPenalty>(*h.penalty);
  auto& prox = *query<ProximalOracle>(*h.penalty);
  auto& conjugate = *query<Conjugate>(*h.penalty);
  const LinearOperator& B = composed->map(shape);
  for (int trial = 0; trial < 10; ++trial) {
    const Values v = testing::normals(engine, 6), u = testing::normals(engine, 7);
    CHECK(prox.value(Element::dense(shape, v)) == doctest::Approx(0.7 * variation(v)).epsilon(1e-13));
    Values z(7), s(6);
    B.apply(v, z), B.apply_adjoint(u, s);
    CHECK(std::inner_product(z.begin(), z.end(), u.begin(), 0.0) ==
          doctest::Approx(std::inner_product(s.begin(), s.end(), v.begin(), 0.0)).epsilon(1e-12));
    const Element direction = Element::dense(shape, s);
    const double a = conjugate.into_domain(direction);
    for (int point = 0; point < 50; ++point) {
      const Values x = testing::normals(engine, 6);
      CHECK(a * inner(direction, Element::dense(shape, x)) <= 0.7 * variation(x) + 1e-12);
    }
    // The step's optimality: <(v - x)/t, y - x> <= h(y) - h(x) for all y.
    Element x;
    const Certificate certificate = prox.apply(Element::dense(shape, v), 0.4, x, {});
    CHECK(certificate.error < 1e-6);
    const Values p = x.to_dense();
    for (int point = 0; point < 50; ++point) {
      const Values y = testing::normals(engine, 6);
      double product = 0.0;
      for (std::size_t j = 0; j < 6; ++j) product += (v[j] - p[j]) / 0.4 * (y[j] - p[j]);
      CHECK(product <= 0.7 * (variation(y) - variation(p)) + 1e-6);
    }
  }
  CHECK(conjugate.into_domain(Element::dense(shape, Values(6, 1.0))) == 0.0);
  // ||B||^2 from its largest singular value.
  Values entries(42);
  B.entries(entries);
  const double norm = dense_svd(7, 6, entries).s.front();
  CHECK(composed->squared_norm() >= norm * norm * (1 - 1e-12));
  CHECK(composed->squared_norm() <= norm * norm * 1.1);
}

TEST_CASE("composed: differences of every order, a matrix, and the columns of a variable") {
  const TestFolder folder;
  std::ofstream(folder / "b.csv") << "1,-1,0\n0,2,-2\n1,0,1\n";
  const auto value = [&](const Words& options, const Shape& shape, const Values& x) {
    const auto h =
        compose(build_catalog(),
                spec_of(Words{"objective.use=distance",
                              shape.cols == 1 ? "objective.data=0 0 0" : "objective.data=0 0; 0 0; 0 0",
                              "penalty.use=composed", "stop.iterations=1"} +
                        options + with_l1(1.0)));
    return query<ProximalOracle>(*h.penalty)->value(Element::dense(shape, x));
  };
  CHECK(value({}, Shape::vector(3), {1, 4, 2}) == 5.0);
  CHECK(value({"penalty.order=2"}, Shape::vector(3), {1, 4, 2}) == 5.0);
  CHECK(value({}, Shape::matrix(3, 2), {1, 4, 2, 0, 1, 0}) == 7.0);
  const std::string file = (folder / "b.csv").string();
  CHECK(value({"penalty.map=matrix", "penalty.data=" + file}, Shape::vector(3), {1, 4, 2}) == 10.0);
}

}  // namespace claros::test::primal_dual
