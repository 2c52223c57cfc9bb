// SPDX-License-Identifier: BSD-3-Clause
// Regularized dual averaging by its definition, by what is known of its rate, and by what it refuses.
#include "catalog_losses.hpp"
#include "linear_problem.hpp"

#include <claros/run/run_loop.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>

#include <cmath>
#include <optional>

namespace claros::test::dual_averaging {

namespace {

/// One composition, by hand.
struct Solver {
  std::shared_ptr<Objective> f;
  std::shared_ptr<GradientEstimator> g;
  std::shared_ptr<Component> penalty, set;
  std::shared_ptr<Algorithm> algorithm;
  Sampler sampler;

  Solver(std::shared_ptr<Objective> objective, const std::string& name, const Numbers& numbers,
         const Numbers& options)
      : f(std::move(objective)),
        g(estimator(name, numbers)),
        algorithm(std::static_pointer_cast<Algorithm>(part(Kind::algorithm, "dual-averaging", options))),
        sampler(RandomStream(3, Purpose::test), f->terms()) {}

  void start(const Element& x0) {
    Problem problem;
    problem.objective = f.get();
    problem.estimator = g.get();
    problem.penalty = penalty ? query<ProximalOracle>(*penalty) : nullptr;
    problem.set = set.get();
    problem.projection = set ? query<ProximalOracle>(*set) : nullptr;
    problem.linear_oracle = set ? query<LinearOracle>(*set) : nullptr;
    for (const MissingPart& missing : missing_parts(problem, *algorithm, {}))
      throw Error(ErrorKind::usage, {missing.complaint});
    g->start(*f, sampler);
    algorithm->start(problem, x0);
  }
  Dense point() const { return algorithm->iterate().to_dense(); }
  std::string refused(const Element& x0) {
    return refusal(ErrorKind::usage, [&] { start(x0); });
  }
};

Dense scaled(double a, const Dense& v) { return plus(Dense(v.size(), 0.0), a, v); }

Dense soft(Dense v, double threshold) {
  for (double& value : v) value = std::copysign(std::max(std::abs(value) - threshold, 0.0), value);
  return v;
}
Dense into_ball(const Dense& v, double radius) { return scaled(std::min(1.0, radius / size(v)), v); }

/// Singular values of a column-major rows x cols matrix lowered by the threshold.
Dense soft_spectrum(Index rows, Index cols, const Dense& v, double threshold) {
  const TruncatedSvd svd = dense_svd(rows, cols, v);
  Dense x(v.size(), 0.0);
  for (std::size_t k = 0; k < svd.s.size() && svd.s[k] > threshold; ++k)
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i)
        x[static_cast<std::size_t>(j * rows + i)] +=
            (svd.s[k] - threshold) * svd.u[k * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)] *
            svd.v[k * static_cast<std::size_t>(cols) + static_cast<std::size_t>(j)];
  return x;
}

/// Runs the solver beside the plain loop, which has the same kind of estimator with the same indices.
template <class Prox>
void check_against_loop(Solver& solver, const std::string& name, const Numbers& numbers, const Dense& x0,
                        double gamma, Prox prox) {
  const auto g = estimator(name, numbers);
  Sampler sampler(RandomStream(3, Purpose::test), solver.f->terms());
  g->start(*solver.f, sampler);
  Dense x = x0, sum(x0.size(), 0.0), mean(x0.size(), 0.0);
  for (int t = 1; t <= 30; ++t) {
    const Element at = Element::dense(solver.f->shape(), x);
    if (g->epoch_due()) g->begin_epoch(at);
    sum = plus(sum, 1.0, g->estimate(at).to_dense());
    mean = plus(scaled(1.0 - 1.0 / t, mean), 1.0 / t, x);
    const double s = std::sqrt(static_cast<double>(t)) / gamma;
    x = prox(plus(x0, -s / t, sum), s);
    solver.algorithm->step();
    CHECK(distance(solver.point(), x) <= 1e-10 * (1.0 + size(x)));
    CHECK(solver.algorithm->report().weight == doctest::Approx(s).epsilon(1e-14));
    CHECK(distance(solver.algorithm->answer().to_dense(), mean) <= 1e-10 * (1.0 + size(mean)));
  }
}

std::shared_ptr<Objective> regression(RowForm form = RowForm::dense) {
  return linear_model(make_design(entries(), kCols, responses("squared"), form), {});
}

const Numbers kAverage{{"gamma", "5"}, {"output", "average"}};

}  // namespace

TEST_CASE("dual averaging is the plain loop, with a penalty, a set and nothing, from any start") {
  for (const std::string name : {"full", "sg", "svrg", "casvrg", "saga"})
    for (const RowForm form : {RowForm::dense, RowForm::sparse})
      for (const bool zero : {true, false})
        for (const std::string with : {"penalty", "set", "nothing"}) {
          CAPTURE(name);
          CAPTURE(with);
          CAPTURE(zero);
          const Numbers numbers = name == "full" ? Numbers{} : Numbers{{"batch", "4"}, {"epoch", "7"}};
          Solver solver(regression(form), name, numbers, kAverage);
          if (with == "penalty") solver.penalty = part(Kind::penalty, "l1", {{"lambda", "0.05"}});
          if (with == "set") solver.set = part(Kind::set, "l2-ball", {{"radius", "0.4"}});
          const Element x0 = zero ? Element(solver.f->shape()) : point(solver.f->shape(), 6);
          solver.start(x0);
          check_against_loop(solver, name, numbers, x0.to_dense(), 5.0, [&](const Dense& v, double s) {
            return with == "penalty" ? soft(v, 0.05 * s) : with == "set" ? into_ball(v, 0.4) : v;
          });
        }
}

TEST_CASE("dual averaging on matrices that are never formed") {
  const auto f = std::make_shared<Entries<losses::SquaredLoss>>(8, 9, 0.7, losses::SquaredLoss{});
  const Numbers numbers{{"batch", "5"}};
  for (const bool zero : {true, false})
    for (const std::string name : {"sg", "svrg", "saga"}) {
      CAPTURE(name);
      Solver solver(f, name, numbers, {{"gamma", "0.2"}, {"output", "average"}});
      solver.penalty = part(Kind::penalty, "nuclear", {{"lambda", "0.01"}});
      const Element x0 = zero ? Element(f->shape()) : rank_one(f->shape(), 4, 0.1);
      solver.start(x0);
      check_against_loop(solver, name, numbers, x0.to_dense(), 0.2,
                         [&](const Dense& v, double s) { return soft_spectrum(8, 9, v, 0.01 * s); });
    }
}

TEST_CASE(
    "dual averaging: the last iterate is the answer unless the mean is asked for; gamma is L by default") {
  const auto f = regression();
  for (const std::string name : {"full", "sg"}) {
    Solver solver(f, name, {}, {});
    solver.start(Element(f->shape()));
    for (int t = 1; t <= 4; ++t) solver.algorithm->step();
    CHECK(&solver.algorithm->answer() == &solver.algorithm->iterate());
    const Constants c = f->constants();
    CHECK(solver.algorithm->report().weight ==
          doctest::Approx(2.0 / (name == "full" ? *c.smoothness : *c.term_smoothness)));
    CHECK(solver.algorithm->report().full_gradient == (name == "full"));
  }
}

/// On a quadratic of Hessian H, gbar_t = H (xbar_t - x*), so that x_{t+1} = -(sqrt(t)/gamma) gbar_t says
/// xbar_t - x* = -(gamma/sqrt(t)) H^{-1} x_{t+1}: the mean is off by gamma ||H^{-1} x*|| / sqrt(t).
TEST_CASE("dual averaging: the mean comes as close as theory says, the value as fast") {
  const Index n = 50, p = 4;
  const auto f = linear_model(make_design(random_rows(9, n, p), p, normals(77, n)), {});
  Solver exact(f, "full", {}, {{"gamma", "0.3"}, {"output", "average"}});
  Element best(f->shape());
  for (int k = 0; k < 3000; ++k) {
    Element g(f->shape());
    f->add_gradient(best, Batch::all(), 1.0, g);
    best.add(-1.0 / *f->constants().smoothness, g);
    (void)best.dense_values();
  }
  const Dense optimum = best.to_dense();
  const double least = f->value(best);
  REQUIRE(size(gradient(*f, best)) <= 1e-12);
  exact.start(Element(f->shape()));
  double away[2], noisy[2] = {0.0, 0.0};
  int t = 0;
  for (const int k : {0, 1}) {
    for (const int end = k == 0 ? 100 : 10000; t < end; ++t) exact.algorithm->step();
    away[k] = distance(exact.algorithm->answer().to_dense(), optimum);
  }
  CHECK(std::log(away[1] / away[0]) / std::log(100.0) == doctest::Approx(-0.5).epsilon(0.02));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Solver sampled(f, "sg", {{"batch", "1"}}, {{"gamma", "3"}, {"output", "average"}});
    sampled.sampler = Sampler(RandomStream(seed, Purpose::test), n);
    sampled.start(Element(f->shape()));
    t = 0;
    for (const int k : {0, 1}) {
      for (const int end = k == 0 ? 100 : 10000; t < end; ++t) sampled.algorithm->step();
      noisy[k] += f->value(sampled.algorithm->answer()) - least;
    }
  }
  CHECK(std::log(noisy[1] / noisy[0]) / std::log(100.0) <= -0.5);
}

TEST_CASE("dual averaging goes on from its state to the bit") {
  const auto f = regression(RowForm::sparse);
  const auto make = [&] {
    Solver solver(f, "saga", {{"batch", "3"}, {"epoch", "5"}}, kAverage);
    solver.penalty = part(Kind::penalty, "l1", {{"lambda", "0.05"}});
    solver.start(point(f->shape(), 6));
    return solver;
  };
  Solver whole = make(), resumed = make();
  References references;
  query<Referable>(*f)->refer(references);
  for (int t = 0; t < 8; ++t) whole.algorithm->step();
  StateWriter out(references);
  out("algorithm", query<State>(*whole.algorithm));
  out("estimator", query<State>(*whole.g));
  StateReader in(out.bytes(), references, "test");
  in("algorithm", query<State>(*resumed.algorithm));
  in("estimator", query<State>(*resumed.g));
  resumed.sampler.seek(whole.sampler.position());
  CHECK(resumed.algorithm->report().weight == whole.algorithm->report().weight);
  for (int t = 0; t < 8; ++t) {
    whole.algorithm->step();
    resumed.algorithm->step();
    CHECK(resumed.point() == whole.point());
    CHECK(resumed.algorithm->answer().to_dense() == whole.algorithm->answer().to_dense());
  }
}

TEST_CASE("dual averaging takes a penalty that is not convex in its convexified form") {
  const auto f = regression();
  for (const std::string name : {"scad", "mcp"}) {
    CAPTURE(name);
    Solver solver(f, "full", {}, {{"gamma", "2"}});
    solver.penalty = part(Kind::penalty, name, {{"lambda", "0.1"}});
    auto& h = *query<ProximalOracle>(*solver.penalty);
    const double mu = h.weak_convexity();
    REQUIRE(mu > 0.0);
    solver.start(Element(f->shape()));
    Dense sum(solver.point().size(), 0.0);
    for (int t = 1; t <= 12; ++t) {
      const Dense x = solver.point();
      Element g(f->shape());
      f->add_gradient(Element::dense(f->shape(), x), Batch::all(), 1.0, g);
      sum = plus(plus(sum, 1.0, g.to_dense()), -mu, x);
      solver.algorithm->step();
      // Entry by entry the new point minimises <gbar, x> + h(x) + (mu/2) x^2 + (gamma / sqrt t) x^2 / 2.
      const auto model = [&](std::size_t j, double value) {
        const double penalty = h.value(Element::dense(Shape::vector(1), {value}));
        return sum[j] / t * value + penalty + 0.5 * (mu + 2.0 / std::sqrt(t)) * value * value;
      };
      const Dense next = solver.point();
      for (std::size_t j = 0; j < next.size(); ++j)
        for (double shift = -2.0; shift <= 2.0; shift += 0.01)
          CHECK(model(j, next[j]) <= model(j, next[j] + shift) + 1e-12);
    }
  }
}

TEST_CASE("dual averaging refuses what breaks its argument, and says how") {
  const auto f = regression();
  const Element x0(f->shape());
  for (const std::string name : {"spider", "caspider", "momentum", "sag"}) {
    CAPTURE(name);
    check_mentions(Solver(f, name, {}, {}).refused(x0),
                   {"unbiased", "mean of all gradients", "estimator is not"});
  }
  for (const std::string name : {"svrg", "casvrg"})
    check_mentions(Solver(f, name, {{"snapshot", "9"}}, {}).refused(x0), {"unbiased", "full snapshots"});
  const auto matrix = std::make_shared<Entries<losses::SquaredLoss>>(8, 9, 0.7, losses::SquaredLoss{});
  Solver linear_only(matrix, "full", {}, {{"gamma", "1"}});
  linear_only.set = create_component(fixture_catalog(), Kind::set, "frobenius-ball", {}, Context{});
  check_mentions(linear_only.refused(Element(matrix->shape())), {"projects", "frank-wolfe", "set has none"});
  const auto unknown =
      linear_model(make_design(entries(), kCols, responses("poisson")), {{"loss", "poisson"}});
  check_mentions(Solver(unknown, "sg", {}, {}).refused(x0), {"algorithm.gamma", "smoothness"});
  Solver(unknown, "sg", {}, {{"gamma", "3"}}).start(x0);
  for (const std::string gamma : {"0", "-1", "nan", "much"})
    check_mentions(refusal(ErrorKind::usage, [&] { Solver(f, "full", {}, {{"gamma", gamma}}); }), {"gamma"});
  check_mentions(refusal(ErrorKind::usage, [&] { Solver(f, "full", {}, {{"output", "best"}}); }), {"output"});
}

}  // namespace claros::test::dual_averaging
