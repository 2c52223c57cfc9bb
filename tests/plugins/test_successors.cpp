// SPDX-License-Identifier: BSD-3-Clause
// The methods of the papers that followed (docs/papers/successors), by their boxes written anew over dense
// arrays.
#include "catalog_losses.hpp"
#include "linear_problem.hpp"

#include <claros/state/state.hpp>

#include <cmath>
#include <numeric>

using namespace claros;
using namespace claros::test;

namespace claros::test::successors {

namespace {

using Robust = claros::test::Entries<losses::RobustLoss>;
constexpr double kRadius = 0.8;

double dot(const Dense& a, const Dense& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// argmin of <c, v> over the l1 ball.
Dense corner(const Dense& c) {
  std::size_t best = 0;
  for (std::size_t j = 0; j < c.size(); ++j)
    if (std::abs(c[j]) > std::abs(c[best])) best = j;
  Dense v(c.size(), 0.0);
  v[best] = c[best] > 0.0 ? -kRadius : kRadius;
  return v;
}

std::shared_ptr<Objective> regression(const std::string& loss) {
  return linear_model(make_design(entries(), kCols, responses(loss)), {{"loss", loss}});
}

/// An algorithm over the l1 ball, without the composer.
struct OverBall {
  std::shared_ptr<Objective> f;
  std::shared_ptr<GradientEstimator> g;
  std::shared_ptr<Component> set = part(Kind::set, "l1-ball", {{"radius", print_real(kRadius)}}), penalty;
  std::shared_ptr<Algorithm> algorithm;
  Sampler sampler;
  Problem problem;

  OverBall(std::shared_ptr<Objective> objective, const std::string& name, const Numbers& numbers,
           const std::string& method, const Numbers& options, std::shared_ptr<Component> h = {})
      : f(std::move(objective)),
        g(estimator(name, numbers)),
        penalty(std::move(h)),
        algorithm(std::static_pointer_cast<Algorithm>(part(Kind::algorithm, method, options))),
        sampler(RandomStream(3, Purpose::test), f->terms()) {
    problem.objective = f.get();
    problem.estimator = g.get();
    problem.set = set.get();
    problem.projection = query<ProximalOracle>(*set);
    problem.linear_oracle = query<LinearOracle>(*set);
    problem.penalty = penalty ? query<ProximalOracle>(*penalty) : nullptr;
    problem.subgradient = penalty != nullptr;
    g->start(*f, sampler);
    algorithm->start(problem, inside());
  }
  Element inside() const { return point(f->shape(), 6, 0.02); }
  Dense point_now() const { return algorithm->iterate().to_dense(); }
};

/// condg(g, u, 1/beta, eta) over the l1 ball, and how many vertices it took.
Dense conditional(const Dense& g, const Dense& centre, double beta, double eta, Index& vertices) {
  Dense u = centre;
  for (;; ++vertices) {
    const Dense c = plus(plus(g, beta, u), -beta, centre), v = corner(c), d = plus(v, -1.0, u);
    if (-dot(c, d) <= eta) return ++vertices, u;
    u = plus(u, std::min(1.0, -dot(c, d) / (beta * dot(d, d))), d);
  }
}

}  // namespace

TEST_CASE(
    "spider with doubling epochs is SPIDER-FW's estimator: epochs of 1, 2, 4, ... and batches as long") {
  Robust f(11, 13, 0.5, {2.0});
  const Index n = f.terms();
  REQUIRE((n > 40 && n < 128));
  const PlainSum<losses::RobustLoss> plain{f};
  for (const std::string batch : {"auto", "5"}) {
    CAPTURE(batch);
    const auto e = estimator("spider", {{"epoch", "doubling"}, {"batch", batch}});
    Sampler sampler(RandomStream(3, Purpose::test), n), same = sampler;
    e->start(f, sampler);
    Path path(f.shape());
    Dense g, previous;
    for (Index step = 0, K = 1, k = 0; step < 200; ++step, path.step()) {
      const Dense x = path.x.to_dense(), got = next(*e, path.x).to_dense();
      if (k == 0) {
        g = plain.gradient(x, plain.everything());
      } else {
        const Index size = batch == "auto" ? std::min(K, n) : 5;
        std::vector<Index> S = plain.everything();
        if (size < n) {
          const Batch drawn = same.draw(size, true);
          S.assign(drawn.list().begin(), drawn.list().end());
        }
        g = plus(g, 1.0, plus(plain.gradient(x, S), -1.0, plain.gradient(previous, S)));
      }
      CHECK(distance(got, g) <= 1e-12);
      previous = x;
      if (++k == K) K *= 2, k = 0;
    }
    CHECK(e->epochs() == 8);  // 1 + 2 + ... + 64 = 127 steps, and 73 of 128
  }
}

TEST_CASE("saga-sarah is its box with a table of whole gradients") {
  std::vector<std::shared_ptr<Objective>> all{
      regression("robust"),
      linear_model(make_design(entries(), kCols, responses("squared"), RowForm::sparse), kEverything),
      std::make_shared<Robust>(6, 7, 0.6, losses::RobustLoss{2.0})};
  for (const auto& f : all)
    for (const std::string averaging : {"theory", "0.3"})
      for (const Index b : {1, 4, 40}) {  // 40: components come twice
        CAPTURE(averaging);
        CAPTURE(b);
        const Index n = f->terms();
        const auto e =
            estimator("saga-sarah", {{"batch", std::to_string(b)}, {"epoch", "9"}, {"averaging", averaging}});
        Sampler sampler(RandomStream(3, Purpose::test), n), same = sampler;
        e->start(*f, sampler);
        const double lambda = averaging == "theory"
                                  ? std::min(1.0, static_cast<double>(b) / (2.0 * static_cast<double>(n)))
                                  : 0.3;
        const auto common = [&](const Element& x) {
          Element s(x.shape());
          query<TermCoefficients>(*f)->add_common_gradient(x, 1.0, s);
          return s.to_dense();
        };
        const auto term = [&](const Element& x, Index i) {
          return plus(gradient(*f, x, Batch::of({&i, 1})), -1.0, common(x));
        };
        std::vector<Dense> table;
        Dense d;
        Element previous;
        for (std::uint64_t t = 0; t < 25; ++t) {
          const Element x = point(f->shape(), 40 + t);
          const Dense got = next(*e, x).to_dense();
          if (t == 0) {
            previous = x;
            d = plus(gradient(*f, x, Batch::all()), -1.0, common(x));
            for (Index i = 0; i < n; ++i) table.push_back(term(x, i));
          }
          Dense average(d.size(), 0.0);
          for (const Dense& y : table) average = plus(average, 1.0 / static_cast<double>(n), y);
          for (double& value : d) value *= 1.0 - lambda;
          d = plus(d, lambda, average);
          const Batch S = same.draw(b);
          for (const Index i : S.list()) {
            const Dense before = term(previous, i);
            const Dense change = plus(plus(plus(term(x, i), -1.0, before), lambda, before), -lambda,
                                      table[static_cast<std::size_t>(i)]);
            d = plus(d, 1.0 / static_cast<double>(b), change);
          }
          for (const Index i : S.list()) table[static_cast<std::size_t>(i)] = term(x, i);
          previous = x;
          const Dense expected = plus(d, 1.0, common(x));
          CHECK(distance(got, expected) <= 1e-11 * (1.0 + size(expected)));
        }
      }
}

TEST_CASE("nonconvex-sliding is NCGS and NCGS-VR: points, by steps of condg over dense arrays") {
  const auto f = regression("robust");
  const double L = *f->constants().smoothness;
  for (const std::string form : {"accelerated", "plain"})
    for (const std::string name : {"full", "svrg"}) {
      CAPTURE(form);
      CAPTURE(name);
      const bool theory = name == "svrg";
      const Numbers options{{"form", form}, {"horizon", "1000"}, {"batch", theory ? "theory" : "own"}};
      OverBall run(f, name, {}, "nonconvex-sliding", options);
      const auto g = estimator(name, {});
      Sampler sampler(RandomStream(3, Purpose::test), f->terms());
      g->start(*f, sampler);
      const double root = std::cbrt(static_cast<double>(f->terms())), eta = 1e-3;
      const EpochPlan plan = theory ? EpochPlan{.batch = static_cast<Index>(std::ceil(root * root)),
                                                .length = static_cast<Index>(std::floor(root))}
                                    : EpochPlan{};
      Dense x = run.inside().to_dense(), y = x;
      Index vertices = 0, steps = 0;
      for (int k = 1; k <= 40; ++k, ++steps) {
        const double alpha = form == "plain" ? 0.0 : 2.0 / (k + 1.0);
        Dense z(x.size());
        for (std::size_t j = 0; j < x.size(); ++j) z[j] = (1.0 - alpha) * y[j] + alpha * x[j];
        const Element at = Element::dense(f->shape(), z);
        if (g->epoch_due()) g->begin_epoch(at, plan);
        const Dense slope = g->estimate(at).to_dense();
        if (form == "accelerated") x = conditional(slope, x, 4.0 * L / k, eta, vertices);
        y = conditional(slope, z, form == "plain" ? 3.0 * L : 2.0 * L, eta, vertices);
        const Dense before = run.point_now();
        for (int call = 0; call < 100; ++call) {
          run.algorithm->step();
          if (distance(run.point_now(), y) <= 1e-9 * (1.0 + size(y))) break;
          CHECK(distance(run.point_now(), before) == 0.0);  // a long subproblem: the iterate rests
        }
        CHECK(distance(run.point_now(), y) <= 1e-9 * (1.0 + size(y)));
      }
      CHECK(vertices > (form == "plain" ? 1 : 2) * steps);  // some took more than one
    }
}

TEST_CASE("nonconvex-sliding: a run ends after the steps that it was given, at a gap of its own") {
  const Words problem{
      "data.use=synthetic-regression",  "data.rows=80",          "data.cols=15",    "data.nonzero=4",
      "objective.use=linear-model",     "objective.loss=robust", "set.use=l1-ball", "set.radius=1",
      "algorithm.use=nonconvex-sliding"};
  const RunResult some = solve(problem + Words{"algorithm.horizon=30", "stop.iterations=10000"});
  CHECK(some.status == Status::iterations);
  CHECK(some.iterations < 10000);
  const RunResult met = solve(problem + Words{"stop.gap=1e-4", "stop.iterations=10000"});
  CHECK(met.status == Status::gap);
  CHECK_THROWS_AS(
      (void)solve({"data.use=synthetic-sparse-low-rank", "data.rows=8", "objective.use=noisy-matrix",
                   "objective.sigma=1", "estimator.use=sg", "set.use=nuclear-ball", "set.radius=9",
                   "algorithm.use=nonconvex-sliding", "algorithm.batch=theory"}),
      Error);
}

TEST_CASE("homotopy-conditional-gradient is HCGM and SHCGM over the l1 ball, with the proximal step of l1") {
  const auto f = regression("squared");
  for (const std::string name : {"full", "momentum"}) {
    CAPTURE(name);
    const double lambda = 0.05, width = 0.7, l = name == "full" ? 2.0 : 9.0;
    const Numbers numbers = name == "full" ? Numbers{} : Numbers{{"batch", "4"}, {"growth", "0"}};
    OverBall run(f, name, numbers, "homotopy-conditional-gradient", {{"width", print_real(width)}},
                 part(Kind::penalty, "l1", {{"lambda", print_real(lambda)}}));
    const auto g = estimator(name, numbers);
    Sampler sampler(RandomStream(3, Purpose::test), f->terms());
    g->start(*f, sampler);
    Dense x = run.inside().to_dense();
    for (int t = 0; t < 60; ++t) {
      const double beta = width / std::sqrt(t + l), gamma = l / (t + l);
      Dense v = next(*g, Element::dense(f->shape(), x)).to_dense();
      for (std::size_t j = 0; j < x.size(); ++j)
        v[j] += std::clamp(x[j] / beta, -lambda, lambda);  // (x - prox)/beta of soft thresholding
      x = plus(x, gamma, plus(corner(v), -1.0, x));
      run.algorithm->step();
      CHECK(distance(run.point_now(), x) <= 1e-10);
    }
  }
}

TEST_CASE("homotopy-conditional-gradient comes to the minimum of f + h over the set, with a verified gap") {
  const Words problem{"data.use=synthetic-sparse-low-rank",
                      "data.rows=15",
                      "objective.use=distance",
                      "penalty.use=l1",
                      "penalty.lambda=2",
                      "set.use=nuclear-ball",
                      "set.radius=60"};
  const RunResult exact = solve(
      problem + Words{"algorithm.use=three-operator", "stop.relative_gap=1e-6", "stop.iterations=20000"});
  REQUIRE(exact.status == Status::relative_gap);
  const RunResult found = solve(problem + Words{"algorithm.use=homotopy-conditional-gradient",
                                                "stop.relative_gap=0.03", "stop.iterations=20000"});
  CHECK(found.status == Status::relative_gap);
  CHECK(found.measurement.value - exact.measurement.value <= 0.03 * found.measurement.value);
  CHECK(found.measurement.value - found.measurement.gap <= exact.measurement.value * (1.0 + 1e-6));
}

TEST_CASE(
    "constant batches for linear predictors: sag under frank-wolfe is the method of Negiar et al. 2020") {
  const auto f = regression("logistic");
  const auto n = static_cast<std::size_t>(f->terms());
  OverBall run(f, "sag", {{"batch", "3"}, {"growth", "0"}}, "frank-wolfe", {});
  Sampler same(RandomStream(3, Purpose::test), f->terms());
  Dense w = run.inside().to_dense();
  std::vector<Dense> alpha;
  for (Index i = 0; i < f->terms(); ++i)
    alpha.push_back(gradient(*f, Element::dense(f->shape(), w), Batch::of({&i, 1})));
  for (int t = 0; t < 50; ++t) {
    const Batch S = same.draw(3);
    for (const Index i : S.list())
      alpha[static_cast<std::size_t>(i)] = gradient(*f, Element::dense(f->shape(), w), Batch::of({&i, 1}));
    Dense r(w.size(), 0.0);
    for (const Dense& a : alpha) r = plus(r, 1.0 / static_cast<double>(n), a);
    w = plus(w, 2.0 / (t + 2.0), plus(corner(r), -1.0, w));
    run.algorithm->step();
    CHECK(distance(run.point_now(), w) <= 1e-10);
  }
}

}  // namespace claros::test::successors
