// SPDX-License-Identifier: BSD-3-Clause
// Three-operator splitting: answers by their optimality conditions, the residual of a penalty on a set by
// closed forms, and what is refused.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/element/element.hpp>

namespace claros::test::three_operator {

namespace {

using Values = std::vector<double>;

const Words kModel{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=12", "data.nonzero=4", "data.seed=3",
    "objective.use=linear-model"};
const Words kThree{"algorithm.use=three-operator", "stop.iterations=20000"};
const Words kL1{"penalty.use=l1", "penalty.lambda=0.1"};

Values gradient(const Words& words, const Element& x) {
  const Composition c = compose(build_catalog(), spec_of(words));
  Element g(x.shape());
  c.objective->add_gradient(x.detached(), Batch::all(), 1.0, g);
  return g.to_dense();
}

struct Solved {
  RunResult result;
  Values x, g;
};

Solved solved(const Words& constraint, const Words& more = {"stop.residual=1e-7"}) {
  const Words words = kModel + kThree + constraint + more;
  Solved s{solve(words), {}, {}};
  REQUIRE_MESSAGE(s.result.failure.empty(), s.result.failure);
  s.x = s.result.answer.to_dense();
  s.g = gradient(words, s.result.answer);
  return s;
}

/// The step s of residuals at x = -delta sign(g_j) e_j, g = grad f(0) and |g_j| its largest entry, with an l1
/// penalty that is a little larger: a step of s leads to 0 and r = delta / s.
double residual_step() {
  constexpr double kDelta = 1e-9;
  const Values g = gradient(kModel + Words{"stop.iterations=1"}, Element(Shape::vector(12)));
  const auto steepest = std::ranges::max_element(g, {}, [](double slope) { return std::abs(slope); });
  Values x(12, 0.0);
  x[static_cast<std::size_t>(steepest - g.begin())] = std::copysign(kDelta, -*steepest);
  HostParts parts;
  parts.start = std::make_shared<const Element>(Element::dense(Shape::vector(12), std::move(x)));
  const Words far{"penalty.use=l1",       "penalty.lambda=1.01*max",         "stop.iterations=1",
                  "stop.residual=1e-300", "algorithm.use=proximal-gradient", "algorithm.step=0.01"};
  const RunResult r = run_composition(compose(build_catalog(), spec_of(kModel + far), parts));
  return kDelta / (r.trace.front().residual * r.residual_scale);
}

constexpr double kNear = 1e-5;

double sign(double x) { return x > 0.0 ? 1.0 : -1.0; }

}  // namespace

TEST_CASE("three-operator: l1 on a box, by the optimality of every coordinate") {
  const Solved s = solved(kL1 + Words{"set.use=box", "set.lower=-0.1", "set.upper=0.5"});
  CHECK(text(s.result.status) == "residual");
  int at_bound = 0, zero = 0, between = 0;
  for (std::size_t j = 0; j < s.x.size(); ++j) {
    const double x = s.x[j], slope = s.g[j] + 0.1 * sign(x);
    const bool upper = x > 0.5 - kNear, lower = x < -0.1 + kNear, is_zero = std::abs(x) < kNear;
    CHECK((upper     ? slope <= kNear
           : lower   ? slope >= -kNear
           : is_zero ? std::abs(s.g[j]) <= 0.1 + kNear
                     : std::abs(slope) <= kNear));
    ++(upper || lower ? at_bound : is_zero ? zero : between);
  }
  CHECK(at_bound > 0);
  CHECK(zero > 0);
  CHECK(between > 0);
}

TEST_CASE("three-operator: l1 on the ball and on the simplex, by their multipliers") {
  const Solved ball = solved(kL1 + Words{"set.use=l2-ball", "set.radius=0.8"});
  CHECK(text(ball.result.status) == "residual");
  CHECK(std::sqrt(dot(ball.x, ball.x)) == doctest::Approx(0.8).epsilon(1e-9));
  double nu = 0.0;
  for (std::size_t j = 0; j < 12; ++j) nu -= ball.x[j] * (ball.g[j] + 0.1 * sign(ball.x[j])) / 0.64;
  CHECK(nu > 0.0);
  for (std::size_t j = 0; j < 12; ++j)
    CHECK((std::abs(ball.x[j]) > kNear ? std::abs(ball.g[j] + 0.1 * sign(ball.x[j]) + nu * ball.x[j])
                                       : std::abs(ball.g[j]) - 0.1) <= kNear);

  const Solved simplex = solved(kL1 + Words{"set.use=simplex", "set.radius=1"});
  CHECK(text(simplex.result.status) == "residual");
  const double least = *std::min_element(simplex.g.begin(), simplex.g.end());
  for (std::size_t j = 0; j < 12; ++j)
    if (simplex.x[j] > kNear) CHECK(simplex.g[j] - least <= kNear);
}

TEST_CASE(
    "three-operator: differences and groups of them on the positive cone, by descent with the closed form of "
    "both") {
  for (const Words& h : {Words{"penalty.use=tv", "penalty.lambda=0.1"},
                         Words{"penalty.use=fused", "penalty.lambda=0.2", "penalty.ratio=0.3"}}) {
    const Solved s = solved(h + Words{"set.use=box", "set.lower=0", "set.upper=1000"});
    CHECK(text(s.result.status) == "residual");
    const Composition c = compose(build_catalog(), spec_of(kModel + kThree + h));
    const double step = 1.0 / *c.objective->constants().smoothness;
    Values x(12, 0.0);
    for (int t = 0; t < 3000; ++t) {
      const Values g = gradient(kModel + kThree + h, Element::dense(Shape::vector(12), x));
      x = prox(*c.penalty_oracle, Shape::vector(12), combined(1.0, x, -step, g), step);
      for (double& entry : x) entry = std::max(entry, 0.0);
      if (t > 300 && squared_distance(x, s.x) < 1e-12) break;
    }
    CHECK(squared_distance(x, s.x) < 1e-11);
  }
}

TEST_CASE("three-operator: a nuclear norm and bounds of the entries, by the other splitting and by rivals") {
  const SmallProblem p(7, 6, 5, 2, 20);
  const Words low = p.objective() + Words{"stop.iterations=3000",
                                          "penalty.use=nuclear",
                                          "penalty.lambda=0.02",
                                          "set.use=box",
                                          "set.lower=-0.5",
                                          "set.upper=0.5",
                                          "algorithm.use=three-operator",
                                          "stop.residual=1e-6"};
  const RunResult r = solve(low);
  REQUIRE_MESSAGE(r.failure.empty(), r.failure);
  CHECK(text(r.status) == "residual");
  const RunResult sum =
      solve(p.objective() +
            Words{"stop.iterations=3000", "algorithm.use=proximal-gradient", "penalty.use=sum",
                  "penalty.terms.1.use=nuclear", "penalty.terms.1.lambda=0.02", "penalty.terms.2.use=box",
                  "penalty.terms.2.lower=-0.5", "penalty.terms.2.upper=0.5", "stop.residual=1e-5"});
  REQUIRE_MESSAGE(sum.failure.empty(), sum.failure);
  CHECK(r.measurement.value == doctest::Approx(sum.measurement.value).epsilon(1e-7));
  const auto worth = [&](const Values& x) {
    double nuclear = 0.0;
    for (const double value : dense_svd(6, 5, x).s) nuclear += value;
    return p.value(x) + 0.02 * nuclear;
  };
  const Values x = r.answer.to_dense();
  Engine engine(5);
  for (const double size : {1e-3, 1e-2, 0.1, 1.0})
    for (int k = 0; k < 30; ++k) {
      Values u = combined(1.0, x, size, testing::normals(engine, 30));
      for (double& entry : u) entry = std::clamp(entry, -0.5, 0.5);
      CHECK(worth(x) <= worth(u) + 1e-9);
    }
}

TEST_CASE(
    "three-operator: the residual of a penalty on a set is never below that of the closed form, and hardly "
    "above") {
  const Words words = kModel + kThree + kL1 +
                      Words{"set.use=l2-ball", "set.radius=0.8", "stop.residual=1e-300", "stop.iterations=30",
                            "trace.every=1"};
  const Case l1 = penalty("l1", {"lambda=0.1"}), ball = set("l2-ball", {"radius=0.8"});
  std::vector<Values> points;
  const RunResult r = solve(words, [&](RunSettings& s) {
    s.on_step = [&](const Step& step) { return points.push_back(step.iterate().to_dense()), true; };
  });
  REQUIRE(r.trace.size() > points.size() - 1);
  const double s = residual_step();
  int compared = 0;
  for (std::size_t t = 0; t < points.size(); ++t) {
    const Values g = gradient(words, Element::dense(Shape::vector(12), points[t]));
    const Values next = prox(
        *query<ProximalOracle>(*ball.make()), Shape::vector(12),
        prox(*query<ProximalOracle>(*l1.make()), Shape::vector(12), combined(1.0, points[t], -s, g), s), 1.0);
    const double told = r.trace[t + 1].residual * r.residual_scale,
                 expected = std::sqrt(squared_distance(next, points[t])) / s;
    CHECK(told >= expected * (1.0 - 1e-9));
    CHECK(told <= expected * 1.11 + 1e-6);
    compared += expected > 1e-4;
  }
  CHECK(compared > 3);
}

TEST_CASE(
    "three-operator: a sum of penalties on a set, and one set in an intersection, measure as the plain ones "
    "do") {
  const Words fused{"penalty.use=fused", "penalty.lambda=0.2", "penalty.ratio=0.3"},
      sum{"penalty.use=sum", "penalty.terms.1.use=l1", "penalty.terms.1.lambda=0.06",
          "penalty.terms.2.use=tv", "penalty.terms.2.lambda=0.14"};
  const Words ball{"set.use=l2-ball", "set.radius=0.8"},
      cut{"set.use=intersection", "set.sets.1.use=box",     "set.sets.1.lower=-5",
          "set.sets.1.upper=5",   "set.sets.2.use=l2-ball", "set.sets.2.radius=0.8"};
  const Solved plain = solved(fused + ball), nested = solved(sum + cut, {"stop.residual=1e-5"});
  CHECK(text(nested.result.status) == "residual");
  CHECK(std::sqrt(squared_distance(plain.x, nested.x)) <= 1e-4);
}

TEST_CASE(
    "three-operator: a penalty that is finite in a part of the set alone, and one that is finite nowhere in "
    "it") {
  const Solved s =
      solved({"penalty.use=box", "penalty.lower=0", "penalty.upper=0.3", "set.use=simplex", "set.radius=1"},
             {"stop.residual=1e-6"});
  CHECK(text(s.result.status) == "residual");
  double sum = 0.0, inner_least = kInfinity, inner_most = -kInfinity;
  for (std::size_t j = 0; j < 12; ++j) {
    sum += s.x[j];
    CHECK(s.x[j] >= -1e-9);
    CHECK(s.x[j] <= 0.3 + 1e-9);
    if (s.x[j] < 0.3 - kNear) inner_least = std::min(inner_least, s.g[j]);  // may grow
    if (s.x[j] > kNear) inner_most = std::max(inner_most, s.g[j]);          // may shrink
  }
  CHECK(sum == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(inner_most <= inner_least + kNear);

  const RunResult nowhere =
      solve(kModel + kThree +
            Words{"penalty.use=box", "penalty.lower=2", "penalty.upper=3", "set.use=simplex", "set.radius=1",
                  "stop.residual=1e-3", "stop.iterations=50"});
  CHECK(is_trouble(nowhere.status));
  CHECK(contains(nowhere.failure, "in common"));
}

TEST_CASE("three-operator: with one of both it comes to what proximal gradient comes to") {
  for (const Words& one : {kL1, Words{"set.use=l2-ball", "set.radius=0.8"}, Words{}}) {
    const Words ends{"stop.residual=1e-9", "stop.iterations=20000"};
    const RunResult split = solve(kModel + one + ends + Words{"algorithm.use=three-operator"}),
                    plain = solve(kModel + one + ends + Words{"algorithm.use=proximal-gradient"});
    CHECK(text(split.status) == "residual");
    CHECK(split.measurement.value == doctest::Approx(plain.measurement.value).epsilon(1e-12));
  }
}

TEST_CASE("three-operator: relaxed, searching, and along estimates it comes to the same minimum") {
  const Words both = kL1 + Words{"set.use=l2-ball", "set.radius=0.8"};
  const double least = solved(both).result.measurement.value;
  for (const Words& way : {Words{"algorithm.relaxation=1.4"}, Words{"algorithm.relaxation=0.5"},
                           Words{"algorithm.step=line-search"}}) {
    const Solved s = solved(both + way);
    CHECK(text(s.result.status) == "residual");
    CHECK(s.result.measurement.value == doctest::Approx(least).epsilon(1e-10));
  }
  for (const std::string estimator : {"svrg", "saga", "loopless-svrg"}) {
    CAPTURE(estimator);
    const RunResult r = solve(kModel + kThree + both +
                              Words{"estimator.use=" + estimator, "stop.residual=1e-5", "stop.passes=3000",
                                    "stop.iterations=400000"});
    CHECK(text(r.status) == "residual");
    CHECK(r.measurement.value == doctest::Approx(least).epsilon(1e-8));
  }
  const auto noisy = [&](const Words& words) {
    return solve(kModel + kThree + both +
                 Words{"estimator.use=sg", "estimator.batch=1", "stop.iterations=20000"} + words)
               .measurement.value -
           least;
  };
  const double constant = noisy({}),
               decayed = noisy({"algorithm.decay=inverse", "algorithm.decay_steps=100"});
  CHECK(decayed > -1e-12);
  CHECK(decayed < 0.2 * constant);
}

TEST_CASE("three-operator: a weakly convex penalty on a set ends at a stationary point") {
  const Solved s = solved({"penalty.use=mcp", "penalty.lambda=0.1", "penalty.b=5", "set.use=box",
                           "set.lower=-0.1", "set.upper=0.5"},
                          {"stop.residual=1e-6"});
  CHECK(text(s.result.status) == "residual");
  int between = 0;
  for (std::size_t j = 0; j < 12; ++j) {
    const double x = s.x[j], slope = s.g[j] + sign(x) * std::max(0.0, 0.1 - std::abs(x) / 5.0);
    const bool upper = x > 0.5 - kNear, lower = x < -0.1 + kNear, zero = std::abs(x) < kNear;
    CHECK((upper   ? slope <= kNear
           : lower ? slope >= -kNear
           : zero  ? std::abs(s.g[j]) <= 0.1 + kNear
                   : std::abs(slope) <= kNear));
    between += !upper && !lower && !zero;
  }
  CHECK(between > 0);
}

TEST_CASE("three-operator: in other units it ends at the same point, and at no other") {
  const TestFolder folder;
  const auto write = [&](const std::string& name, double unit) {
    Engine same(11);
    std::string rows;
    for (int i = 0; i < 40; ++i) {
      const Values a = testing::normals(same, 6);
      std::string row;
      for (const double entry : a) row += print_real(entry) + ',';
      rows += row + print_real(unit * (a[0] - 0.5 * a[1] + 0.1 * testing::normals(same, 1)[0])) + '\n';
    }
    folder.put(name, rows);
  };
  const auto end = [&](double unit) {
    write("rows.csv", unit);
    const RunResult r =
        solve({"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string(),
               "penalty.use=l1", "penalty.lambda=" + print_real(0.1 * unit), "set.use=l2-ball",
               "set.radius=" + print_real(0.7 * unit), "algorithm.use=three-operator", "stop.residual=1e-6",
               "stop.iterations=5000"});
    CHECK(text(r.status) == "residual");
    Values x = r.answer.to_dense();
    for (double& entry : x) entry /= unit;
    return x;
  };
  const Values one = end(1.0);
  for (const double unit : {1e6, 1e-6}) CHECK(std::sqrt(squared_distance(one, end(unit))) <= 1e-5);
}

TEST_CASE("three-operator: steps that are too long end as diverged, or without success") {
  const Words both = kL1 + Words{"set.use=box", "set.lower=-1000000", "set.upper=1000000"};
  const RunResult open = solve(
      kModel + both +
      Words{"algorithm.use=three-operator", "algorithm.step=5", "stop.iterations=500", "stop.residual=1e-3"});
  CHECK(text(open.status) == "diverged");
  CHECK(contains(open.failure, "too long"));
  const RunResult closed = solve(kModel + kL1 +
                                 Words{"set.use=l2-ball", "set.radius=0.8", "algorithm.use=three-operator",
                                       "algorithm.step=20", "stop.iterations=500", "stop.residual=1e-6"});
  CHECK_FALSE(is_target(closed.status));
}

TEST_CASE("three-operator: a run that is resumed is the same run") {
  for (const Words& way :
       {Words{"estimator.use=full"}, Words{"algorithm.step=line-search", "estimator.use=full"},
        Words{"estimator.use=svrg"}, Words{"estimator.use=saga", "algorithm.output=average"}})
    for (const Words& both : {kL1 + Words{"set.use=l2-ball", "set.radius=0.8"},
                              Words{"penalty.use=box", "penalty.lower=0", "penalty.upper=0.3",
                                    "set.use=simplex", "set.radius=1"}}) {
      const Words words = kModel + both + way + Words{"algorithm.use=three-operator", "stop.iterations=9"};
      const Saved saved = solve_and_save(words);
      REQUIRE_MESSAGE(saved.result.failure.empty(), saved.result.failure);
      for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
    }
}

TEST_CASE("three-operator: what has no meaning is refused, and who takes both is named") {
  const Words both = kModel + kL1 + Words{"set.use=l2-ball", "set.radius=0.8", "stop.iterations=5"};
  check_mentions(composing_refused(both + Words{"algorithm.use=proximal-gradient"}),
                 {"at once", "these take it: ", "three-operator"});
  check_mentions(composing_refused(both + Words{"algorithm.use=three-operator", "estimator.use=sag"}),
                 {"unbiased", "errors of mean 0"});
  check_mentions(refusal(ErrorKind::usage,
                         [&] {
                           (void)compose(fixture_catalog(),
                                         spec_of(kModel + kL1 +
                                                 Words{"set.use=frobenius-ball",
                                                       "algorithm.use=three-operator", "stop.iterations=5"}));
                         }),
                 {"projects onto it"});
  const std::string on_set =
      composing_refused(kModel + Words{"penalty.use=l0", "penalty.lambda=0.1", "set.use=l2-ball",
                                       "set.radius=1", "algorithm.use=three-operator", "stop.iterations=5"});
  check_mentions(on_set, {"is not weakly convex", "leave the set out"});
  CHECK(!contains(on_set, "these take it"));  // each of them would refuse the set
  check_mentions(composing_refused(kModel + Words{"penalty.use=mcp", "penalty.lambda=0.1", "set.use=l2-ball",
                                                  "set.radius=1", "algorithm.use=three-operator",
                                                  "stop.relative_gap=1e-3"}),
                 {"conjugate of the penalty", "stop.residual"});
  const auto starting = [&](const Words& words) {
    return refusal(ErrorKind::usage,
                   [&] { (void)solve(both + Words{"algorithm.use=three-operator"} + words); });
  };
  check_mentions(starting({"algorithm.relaxation=1.6"}), {"algorithm.relaxation", "converges below 1.5"});
  check_mentions(starting({"algorithm.step=line-search", "estimator.use=svrg"}), {"stochastic"});
  check_mentions(starting({"algorithm.step=line-search", "algorithm.decay=sqrt"}), {"algorithm.decay"});
}

}  // namespace claros::test::three_operator
