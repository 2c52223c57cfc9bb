// SPDX-License-Identifier: BSD-3-Clause
// What a step of a method has to be by its definition: lengths along blocks, steps behind a line search,
// radii that screen, certificates, and the slope of an intercept. Each of these once held a planted bug that
// no test saw.
#include "../core/random_elements.hpp"
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/map/columns.hpp>

#include <algorithms/coordinate-descent/screening.hpp>

#include <array>

namespace claros::test::wrong_steps {

namespace {

using Values = std::vector<double>;

Values gradient(Objective& f, const Values& x) {
  Element g(f.shape());
  f.add_gradient(Element::dense(f.shape(), x), Batch::all(), 1.0, g);
  return g.to_dense();
}
double value(Objective& f, const Values& x) { return f.value(Element::dense(f.shape(), x)); }

Values combination(double a, const Values& x, double b, const Values& y) {
  Values z(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) z[j] = a * x[j] + b * y[j];
  return z;
}

}  // namespace

TEST_CASE("wrong steps: block-coordinate steps end at the least value along them, or at that of the bound") {
  const Words product{"set.use=product",          "set.sizes=3 4 5",          "set.blocks.1.use=simplex",
                      "set.blocks.1.radius=2",    "set.blocks.2.use=l1-ball", "set.blocks.2.radius=0.7",
                      "set.blocks.3.use=l2-ball", "set.blocks.3.radius=0.75"};
  int within = 0;
  for (const std::string loss : {"squared", "logistic"})
    for (const std::string step : {"line-search", "short"})
      for (const std::string by : {"columns", "whole"}) {
        Words words = Words{"data.use=synthetic-regression",
                            "data.rows=60",
                            "data.cols=12",
                            "data.nonzero=5",
                            "data.seed=4",
                            "objective.use=linear-model",
                            "objective.loss=" + loss,
                            "data.response=" + std::string(loss == "logistic" ? "logistic" : "linear"),
                            "algorithm.use=bcfw",
                            "algorithm.order=cyclic",
                            "algorithm.step=" + step,
                            "trace.every=1"} +
                      product;
        if (by == "whole") words = words + Words{"smoother.use=squared-norm", "smoother.lambda=1e-30"};
        const Composition c = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
        auto* of_image = query<LossOfImage>(*c.objective);
        for (int t = 0; t < 9; ++t) {
          CAPTURE(loss + ' ' + step + ' ' + by + ' ' + std::to_string(t));
          const Values from =
              t == 0 ? query<Start>(*c.set)->start_point(c.objective->shape()).to_dense()
                     : solve(words + Words{"stop.iterations=" + std::to_string(t)}).answer.to_dense();
          const RunResult r = solve(words + Words{"stop.iterations=" + std::to_string(t + 1)});
          const Values to = r.answer.to_dense(), d = combination(1.0, to, -1.0, from);
          const double gamma = r.trace.back().step, here = value(*c.objective, to);
          REQUIRE(gamma >= 0.0);
          REQUIRE(gamma <= 1.0);
          if (gamma == 0.0) continue;
          within += gamma < 1.0;
          if (step == "line-search" || (loss == "squared" && by == "columns")) {
            for (const double share : {0.5, 0.8, 0.95, 1.05, 1.2})
              if (share * gamma <= 1.0)
                CHECK(here <= value(*c.objective, combination(1.0, from, share, d)) + 1e-10 * std::abs(here));
            continue;
          }
          // gamma = slope / (curvature along d/gamma), at most 1
          const double slope = -dot(gradient(*c.objective, from), d) / gamma;
          double bent = 0.0;
          if (by == "columns") {
            const Element direction = Element::dense(c.objective->shape(), d);
            const auto z = direction.image(of_image->map());
            Values curvature(z.size());
            REQUIRE(of_image->curvature_bound(curvature));
            for (std::size_t i = 0; i < z.size(); ++i) bent += curvature[i] * z[i] * z[i];
          } else {
            bent = c.objective->constants().smoothness.value() * dot(d, d);
          }
          CHECK(gamma == doctest::Approx(std::min(1.0, slope * gamma * gamma / bent)).epsilon(1e-6));
        }
      }
  CHECK(within > 30);
}

TEST_CASE("wrong steps: three-operator behind its line search is the paper's box, from the first step on") {
  const Words problem{"data.use=synthetic-regression",
                      "data.rows=40",
                      "data.cols=8",
                      "data.nonzero=4",
                      "data.seed=6",
                      "objective.use=linear-model",
                      "penalty.use=l1",
                      "penalty.lambda=0.05",
                      "set.use=box",
                      "set.lower=-0.3",
                      "set.upper=1.5"};
  for (const std::string loss : {"squared", "logistic", "huber"}) {
    const Words words =
        problem + Words{"objective.loss=" + loss,
                        "data.response=" + std::string(loss == "logistic" ? "logistic" : "linear"),
                        "algorithm.use=three-operator", "algorithm.step=line-search", "trace.every=1"};
    const Composition c = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
    Objective& f = *c.objective;
    const auto prox = [&](ProximalOracle& h, const Values& v, double s) {
      Element x;
      (void)h.apply(Element::dense(f.shape(), v), s, x, {});
      return x.to_dense();
    };
    Values x = prox(*c.projection, Values(8, 0.0), 1.0), u(8, 0.0), to;
    double gamma = 1.0;
    bool grows = true;
    int cuts = 0;
    for (int t = 1; t <= 12; ++t) {
      CAPTURE(loss + ' ' + std::to_string(t));
      const Values g = gradient(f, x);
      for (;;) {
        to = prox(*c.penalty_oracle, combination(1.0, combination(1.0, x, -gamma, u), -gamma, g), gamma);
        const Values d = combination(1.0, to, -1.0, x);
        const bool good = value(f, to) <=
                          value(f, x) + dot(g, d) + dot(d, d) / (2.0 * gamma) + 1e-13 * std::abs(value(f, x));
        if (good && !grows) break;
        grows = grows && good;
        gamma *= good ? 2.0 : 0.5;
        cuts += !good;
      }
      const Values z = combination(1.0, to, gamma, u);
      x = prox(*c.projection, z, 1.0);
      u = combination(1.0 / gamma, z, -1.0 / gamma, x);
      const RunResult r = solve(words + Words{"stop.iterations=" + std::to_string(t)});
      CHECK(r.trace.back().step == gamma);
      CHECK(distance(r.answer.to_dense(), x) <= 1e-10);
    }
    CHECK(cuts > 0);
  }
}

TEST_CASE(
    "wrong steps: what screening takes for 0 is 0 at the minimum, from any point and near the limit of its "
    "radius") {
  Engine engine(31);
  int zeros = 0, others = 0;
  const TestFolder folder;
  for (int trial = 0; trial < 150; ++trial) {
    const Index n = 1 + static_cast<Index>(engine() % 4), p = 1 + static_cast<Index>(engine() % 3);
    std::string rows;
    for (Index i = 0; i < n; ++i) {
      for (const double entry : testing::normals(engine, p + 1)) rows += print_real(entry) + ',';
      rows.back() = '\n';
    }
    folder.put("rows.csv", rows);
    const double share = std::uniform_real_distribution<double>(0.3, 1.1)(engine);
    const Words words{"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string(),
                      "penalty.use=l1", "penalty.lambda=" + print_real(share) + "*max"};
    const RunResult best = solve(words + Words{"algorithm.use=coordinate-descent", "algorithm.screen=0",
                                               "stop.residual=1e-12", "stop.iterations=5000", "trace.on=no"});
    const Composition c = compose(
        build_catalog(), spec_of(words + Words{"algorithm.use=coordinate-descent", "stop.iterations=1"}));
    const Problem problem = c.problem();
    auto* of_image = query<LossOfImage>(*c.objective);
    const auto columns = of_image->map()->columns();
    Values curvature(static_cast<std::size_t>(n));
    Element zero(c.objective->shape());
    of_image->image_curvature(zero.image(of_image->map()), curvature);
    Screening screening;
    screening.start(problem);
    REQUIRE(screening.works());
    const Values solution = best.answer.to_dense();
    for (int k = 0; k < 12; ++k) {
      Values x = testing::normals(engine, p);
      for (std::size_t j = 0; j < x.size(); ++j)
        x[j] = k % 3 == 0 ? 2.0 * solution[j] + 0.1 * x[j] : k % 3 == 1 ? solution[j] + 0.3 * x[j] : x[j];
      screening.look(Element::dense(c.objective->shape(), x));
      for (Index j = 0; j < p; ++j) {
        const std::array member{j};
        if (!screening.rests(j, member, columns->weighted_square(j, curvature),
                             problem.separable->block_step())) {
          others += solution[static_cast<std::size_t>(j)] == 0.0;
          continue;
        }
        ++zeros;
        CHECK(solution[static_cast<std::size_t>(j)] == 0.0);
      }
    }
  }
  CHECK(zeros > 20);
  CHECK(others > 20);
}

TEST_CASE("wrong steps: a certificate of the variation of an image is a length, in any units") {
  Engine engine(32);
  const Shape shape = Shape::matrix(12, 9);
  for (const std::string kind : {"anisotropic", "isotropic"})
    for (const double unit : {1e-6, 1e-3, 1.0, 1e3, 1e6})
      for (const double tolerance : {1e-1, 1e-2, 1e-4}) {
        CAPTURE(kind);
        CAPTURE(unit);
        CAPTURE(tolerance);
        Values v = testing::normals(engine, shape.size());
        const auto at = [&](double scale, const Accuracy& accuracy, Element& x) {
          const auto h =
              penalty("tv", {"lambda=" + print_real(0.4 * scale), "along=both", "kind=" + kind}).make();
          return query<ProximalOracle>(*h)->apply(Element::dense(shape, combination(scale, v, 0.0, v)), 1.0,
                                                  x, accuracy);
        };
        Element loose, best, plain;
        const Certificate c = at(unit, {.tolerance = tolerance}, loose),
                          in_ones = at(1.0, {.tolerance = tolerance}, plain);
        const Certificate tight = at(unit, {.tolerance = 1e-10}, best);
        CHECK(distance(loose.to_dense(), best.to_dense()) <= c.error + tight.error);
        CHECK(c.error == doctest::Approx(unit * in_ones.error).epsilon(1e-3));
        CHECK(c.exact == (c.error <= tolerance * norm(loose)));
      }
}

TEST_CASE(
    "wrong steps: a working set that has the intercept alone to move solves for it as far as its slope "
    "asks") {
  const TestFolder folder;
  Engine engine(33);
  std::string rows;
  for (int i = 0; i < 200; ++i) {
    for (const double entry : testing::normals(engine, 5)) rows += print_real(entry) + ',';
    rows += i % 20 == 0 ? "-1\n" : "1\n";
  }
  folder.put("rows.csv", rows);
  // No column leaves 0, and one class is rare: from 0 the intercept has far to go.
  const Words words{"objective.use=linear-model",
                    "objective.loss=logistic",
                    "objective.data=" + (folder / "rows.csv").string(),
                    "objective.intercept=yes",
                    "penalty.use=l1",
                    "penalty.lambda=10",
                    "algorithm.use=working-set"};
  const auto moves = [&](int steps) {
    return solve(words + Words{"stop.iterations=" + std::to_string(steps)}).counts.coordinate_steps;
  };
  CHECK(moves(1) > 0);
  CHECK(moves(1) <= 20);
  CHECK(moves(2) > moves(1));
  const RunResult r = solve(words + Words{"stop.residual=1e-10", "stop.iterations=50"});
  CHECK(r.status == Status::residual);
  CHECK(r.answer.to_dense().back() == doctest::Approx(std::log(19.0)).epsilon(1e-6));
}

}  // namespace claros::test::wrong_steps
