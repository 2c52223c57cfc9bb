// SPDX-License-Identifier: BSD-3-Clause
// Proximal steps of sums, by sums whose steps have a closed form, and what is proved of them.
#include "convex_cases.hpp"

#include <claros/proximal_sum.hpp>

namespace claros::test::proximal_sum {

namespace {

using Values = std::vector<double>;

const Shape kShape = Shape::vector(12);

/// Components and their proximal oracles.
struct Terms {
  explicit Terms(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
      components.push_back(c.make());
      oracles.push_back(query<ProximalOracle>(*components.back()));
    }
  }
  std::vector<std::shared_ptr<Component>> components;
  std::vector<ProximalOracle*> oracles;
};

using Exact = std::function<Values(const Values& v, double step)>;

Values after(const Case& second, Values x, double step = 1.0) {
  return prox(*query<ProximalOracle>(*second.make()), kShape, x, step);
}

/// The nearest point of {lower <= x <= upper, sum x = total}, by bisection on the shift.
Values bounded_of_sum(const Values& v, double lower, double upper, double total) {
  double low = -1e3, high = 1e3;
  Values x(v.size());
  for (int k = 0; k < 200; ++k) {
    const double shift = 0.5 * (low + high);
    double sum = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) sum += x[j] = std::clamp(v[j] - shift, lower, upper);
    (sum > total ? low : high) = shift;
  }
  return x;
}

struct Known {
  std::string name;
  std::vector<Case> terms;
  Exact exact;
};

std::vector<Known> known() {
  const Case l1 = penalty("l1", {"lambda=0.4"}), tv = penalty("tv", {"lambda=0.6"}),
             fused = penalty("fused", {"lambda=1", "ratio=0.4"}), ball = set("l2-ball", {"radius=1"}),
             positive = penalty("nonnegative", {});
  const auto of_fused = [=](const Values& v, double s) { return after(fused, v, s); };
  return {{"l1 + tv is the fused penalty (Friedman et al. 2007)", {l1, tv}, of_fused},
          {"and in the other order", {tv, l1}, of_fused},
          {"a gauge on a ball around 0: its step, and the ball's (Yu 2013)",
           {l1, ball},
           [=](const Values& v, double s) { return after(ball, after(l1, v, s)); }},
          {"differences on the positive cone: their step, and the cone's",
           {tv, positive},
           [=](const Values& v, double s) { return after(positive, after(tv, v, s)); }},
          {"three of them",
           {l1, tv, ball},
           [=](const Values& v, double s) { return after(ball, of_fused(v, s)); }},
          {"l1 is constant on the simplex",
           {l1, set("simplex", {"radius=1.5"})},
           [](const Values& v, double) { return after(set("simplex", {"radius=1.5"}), v); }},
          {"two indicators",
           {penalty("box", {"lower=0", "upper=0.2"}), set("simplex", {"radius=1.5"})},
           [](const Values& v, double) { return bounded_of_sum(v, 0.0, 0.2, 1.5); }}};
}

}  // namespace

TEST_CASE("proximal sum: comes to the exact answer, and proves no more of any step than is so") {
  Engine engine(71);
  for (const Known& k : known()) {
    CAPTURE(k.name);
    const Terms terms(k.terms);
    for (const double scale : {1e-3, 1.0, 1e3})
      for (const double step : {0.1, 2.0}) {
        const Values v = random_point(engine, kShape, scale), exact = k.exact(v, step);
        for (const Index most : {1, 2, 3, 5, 8, 20, 10'000}) {
          CAPTURE(most);
          Element b;
          const auto never = [](const Element&, const ProximalSum::Proof&) { return false; };
          const auto proof =
              ProximalSum(terms.oracles, most).apply(Element::dense(kShape, v), step, b, never);
          const double off = std::sqrt(squared_distance(b.to_dense(), exact));
          CHECK(off <= proof.error + 1e-9 * scale);  // of terms that accept points 1e-10 outside
          if (most < 10'000) continue;
          CHECK(off <= 1e-9 * (scale + 1.0));
          CHECK(proof.error <= 2e-5 * std::sqrt(scale) * (scale + 1.0));
        }
        Element x;
        const Certificate c =
            apply_sum(terms.oracles, Element::dense(kShape, v), step, x, {.tolerance = 1e-4}, "here");
        if (c.exact) CHECK(std::sqrt(squared_distance(x.to_dense(), exact)) <= 1e-4 * norm(x) + 1e-12);
      }
  }
}

TEST_CASE("proximal sum: weakly convex terms, by the definition of the step") {
  Engine engine(72);
  const Terms terms({penalty("mcp", {"lambda=0.5", "b=3"}), set("l2-ball", {"radius=1.5"})});
  for (int trial = 0; trial < 10; ++trial) {
    const Values v = random_point(engine, kShape, 1.0);
    Element x;
    (void)apply_sum(terms.oracles, Element::dense(kShape, v), 1.2, x, {}, "here");
    const auto worth = [&](const Values& u) {
      return 1.2 * terms.oracles[0]->value(Element::dense(kShape, u)) +
             terms.oracles[1]->value(Element::dense(kShape, u)) + 0.5 * squared_distance(u, v);
    };
    const double least = worth(x.to_dense());
    CHECK(std::isfinite(least));
    for (const double size : {1e-5, 1e-3, 0.1, 1.0})
      for (int k = 0; k < 20; ++k)
        CHECK(least <= worth(after(set("l2-ball", {"radius=1.5"}),
                                   combined(1.0, x.to_dense(), size, testing::normals(engine, 12)))) +
                           1e-12);
  }
  Element x;
  check_mentions(refusal(ErrorKind::usage,
                         [&] {
                           (void)apply_sum(terms.oracles, Element::dense(kShape, Values(12, 1.0)), 3.0, x, {},
                                           "here");
                         }),
                 {"no unique answer"});
}

TEST_CASE("proximal sum: terms without a common point are told, and no point is called an answer") {
  const Terms terms({penalty("box", {"lower=2", "upper=3"}), set("l2-ball", {"radius=1"})});
  Element b;
  const auto never = [](const Element&, const ProximalSum::Proof&) { return false; };
  CHECK(std::isinf(
      ProximalSum(terms.oracles, 500).apply(Element::dense(kShape, Values(12, 1.0)), 1.0, b, never).error));
  check_mentions(refusal(ErrorKind::numerical,
                         [&] {
                           (void)apply_sum(terms.oracles, Element::dense(kShape, Values(12, 1.0)), 1.0, b, {},
                                           "here");
                         }),
                 {"here", "no point was found", "in common"});
  check_mentions(refusal(ErrorKind::numerical,
                         [&] {
                           (void)apply_sum(terms.oracles, Element::dense(kShape, Values(12, kInfinity)), 1.0,
                                           b, {}, "here");
                         }),
                 {"not finite"});
}

TEST_CASE("proximal sum: a matrix by its singular values and its entries at once") {
  Engine engine(73);
  const Shape shape = Shape::matrix(5, 4);
  const Terms terms({penalty("nuclear", {"lambda=0.5"}), set("box", {"lower=-0.3", "upper=0.4"})});
  for (int trial = 0; trial < 5; ++trial) {
    const Values v = testing::normals(engine, 20);
    Element x;
    (void)apply_sum(terms.oracles, Element::dense(shape, v), 1.0, x, {}, "here");
    const auto worth = [&](const Values& u) {
      return terms.oracles[0]->value(Element::dense(shape, u)) +
             terms.oracles[1]->value(Element::dense(shape, u)) + 0.5 * squared_distance(u, v);
    };
    const double least = worth(x.to_dense());
    for (const double size : {1e-5, 1e-3, 0.1, 1.0})
      for (int k = 0; k < 20; ++k) {
        Values u = combined(1.0, x.to_dense(), size, testing::normals(engine, 20));
        for (double& entry : u) entry = std::clamp(entry, -0.3, 0.4);
        CHECK(least <= worth(u) + 1e-12);
      }
  }
}

TEST_CASE("sum and intersection: answer what their parts do together, and refuse what has no answer") {
  const Words model{"data.use=synthetic-regression",
                    "data.rows=40",
                    "data.cols=12",
                    "data.nonzero=3",
                    "data.seed=4",
                    "objective.use=linear-model",
                    "stop.iterations=2000",
                    "stop.residual=1e-6"};
  const Words two{"penalty.use=sum", "penalty.terms.1.use=l1", "penalty.terms.1.lambda=0.04",
                  "penalty.terms.2.use=tv", "penalty.terms.2.lambda=0.06"};
  const RunResult sum = solve(model + two),
                  fused = solve(model + Words{"penalty.use=fused", "penalty.lambda=0.1", "penalty.ratio=0.4",
                                              "stop.residual=1e-9"});
  CHECK(text(sum.status) == "residual");
  CHECK(sum.measurement.value == doctest::Approx(fused.measurement.value).epsilon(1e-10));
  CHECK(std::sqrt(squared_distance(sum.answer.to_dense(), fused.answer.to_dense())) <= 1e-5);

  const Words both{"set.use=intersection", "set.sets.1.use=box",     "set.sets.1.lower=0",
                   "set.sets.1.upper=0.3", "set.sets.2.use=simplex", "set.sets.2.radius=1"};
  const RunResult inside = solve(model + both);
  CHECK(text(inside.status) == "residual");
  CHECK(inside.violation <= 1e-9);
  const Values x = inside.answer.to_dense();
  CHECK(squared_distance(x, bounded_of_sum(x, 0.0, 0.3, 1.0)) <= 1e-16);

  check_mentions(
      composing_refused(model + Words{"penalty.use=sum", "penalty.terms.1.use=l0", "penalty.terms.1.lambda=1",
                                      "penalty.terms.2.use=tv", "penalty.terms.2.lambda=1"}),
      {"penalty.terms", "l0"});
  check_mentions(refusal(ErrorKind::usage,
                         [&] {
                           (void)compose(
                               fixture_catalog(),
                               spec_of(model + Words{"set.use=intersection", "set.sets.1.use=frobenius-ball",
                                                     "set.sets.2.use=box"}));
                         }),
                 {"no projection"});
  check_mentions(composing_refused(model + both + Words{"algorithm.use=frank-wolfe"}), {"linear oracle"});
  const RunResult apart = solve(
      model + Words{"set.use=intersection", "set.sets.1.use=box", "set.sets.1.lower=2", "set.sets.1.upper=3",
                    "set.sets.2.use=simplex", "set.sets.2.radius=1", "start.from=zero"});
  CHECK(is_trouble(apart.status));
  CHECK(contains(apart.failure, "in common"));
}

}  // namespace claros::test::proximal_sum
