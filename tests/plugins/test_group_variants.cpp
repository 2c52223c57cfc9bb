// SPDX-License-Identifier: BSD-3-Clause
// Group lasso of entries that are at least 0, and group MCP and group SCAD: proximal steps against their
// conditions of optimality and against a search, solutions against another way to the same problem.
#include "convex_cases.hpp"

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::group_variants {

namespace {

using Numbers = std::vector<double>;

double length(const Numbers& x) { return std::sqrt(dot(x, x)); }

const Words kGroupedRows{
    "data.use=synthetic-regression", "data.rows=80", "data.cols=24", "data.nonzero=8", "data.seed=5",
    "objective.use=linear-model"};

Numbers solution(const Words& words) {
  const RunResult r = solve(kGroupedRows + words + Words{"stop.iterations=20000"});
  CHECK(is_target(r.status));
  return r.answer.to_dense();
}

/// lambda * integral over [0, r] of the slope, by Simpson's rule on pieces that end where the slope bends.
double integral(double r, const std::vector<double>& bends, const std::function<double(double)>& slope) {
  double sum = 0.0, from = 0.0;
  for (double to : bends) {
    to = std::min(to, r);
    if (to > from)
      sum += (to - from) / 6.0 * (slope(from) + 4.0 * slope(0.5 * (from + to)) + slope(to)), from = to;
  }
  return sum;
}

}  // namespace

TEST_CASE("group, nonnegative: the step meets its conditions of optimality") {
  Engine engine(41);
  const Shape shape = Shape::vector(12);
  const auto h = penalty("group", {"lambda=0.7", "groups=3", "weights=sqrt", "nonnegative=yes"}).make();
  int zero = 0, cut = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Numbers v = testing::normals(engine, 12), x = prox(*query<ProximalOracle>(*h), shape, v, 0.8);
    const double t = 0.8 * 0.7 * std::sqrt(3.0);
    for (std::size_t g = 0; g < 12; g += 3) {
      const Numbers mine(x.begin() + static_cast<std::ptrdiff_t>(g),
                         x.begin() + static_cast<std::ptrdiff_t>(g + 3));
      const double norm = length(mine);
      double positive = 0.0;
      for (std::size_t k = g; k < g + 3; ++k) {
        CHECK(x[k] >= 0.0);
        positive += v[k] > 0.0 ? v[k] * v[k] : 0.0;
        if (norm == 0.0) continue;
        const double pull = v[k] - x[k] - t * x[k] / norm;  // in the normal cone of {x >= 0}
        CHECK(pull <= 1e-12);
        if (x[k] > 0.0) CHECK(std::abs(pull) <= 1e-12);
        cut += x[k] == 0.0;
      }
      if (norm == 0.0) CHECK(std::sqrt(positive) <= t * (1.0 + 1e-12));
      zero += norm == 0.0;
    }
  }
  CHECK(zero > 100);
  CHECK(cut > 100);
}

TEST_CASE("group, nonnegative: all tests of the kit, both norms, with and without a side constraint") {
  const Shape shape = Shape::matrix(3, 4);
  for (const char* norm : {"norm=l2", "norm=linf"})
    for (const char* rho : {"rho=inf", "rho=0.9"})
      for (const char* groups : {"groups=4", "groups=rows"})
        check_conformance(penalty("group", {"lambda=0.7", "nonnegative=yes", norm, rho, groups}), shape, {});
  const auto h = penalty("group", {"lambda=0.5", "groups=4", "nonnegative=yes"}).make();
  Numbers x(12, 1.0);
  CHECK(query<ProximalOracle>(*h)->value(Element::dense(shape, x)) == doctest::Approx(3.0));
  x[7] = -1e-6;
  CHECK(query<ProximalOracle>(*h)->value(Element::dense(shape, x)) == kInfinity);
  // max is where 0 stops being the solution: of <g, x> with g <= 0 in the entries that count.
  Numbers g(12, 5.0);
  g[1] = -0.3, g[2] = -0.4;
  CHECK(query<LambdaMax>(*h)->lambda_max(Element::dense(shape, g)) == doctest::Approx(0.5));
}

TEST_CASE("group, nonnegative: a run ends where the sum with the penalty nonnegative does") {
  const auto of = [&](const std::string& section) {
    return Words{section + "use=group", section + "lambda=0.05", section + "groups=4",
                 section + "weights=sqrt"};
  };
  const Numbers expected = solution(Words{"penalty.use=sum", "penalty.terms.2.use=nonnegative",
                                          "algorithm.use=proximal-gradient", "stop.residual=1e-6"} +
                                    of("penalty.terms.1."));
  CHECK(std::ranges::count_if(expected, [](double entry) { return entry > 1e-6; }) >= 3);
  for (const Words& more : {Words{"algorithm.use=proximal-gradient"},
                            {"algorithm.use=working-set"},
                            {"algorithm.use=coordinate-descent"},
                            {"algorithm.use=proximal-gradient", "estimator.use=saga", "run.seed=4"}}) {
    CAPTURE(more[0]);
    const RunResult r = solve(kGroupedRows + of("penalty.") + more +
                              Words{"penalty.nonnegative=yes", "stop.gap=1e-9", "stop.iterations=200000"});
    CHECK(r.status == Status::gap);
    CHECK(r.measurement.confirmed);
    const Numbers x = r.answer.to_dense();
    for (std::size_t j = 0; j < x.size(); ++j) {
      CHECK(x[j] >= 0.0);
      CHECK(std::abs(x[j] - expected[j]) <= 2e-4);
    }
  }
}

TEST_CASE("group, nonnegative: groups of one entry take Newton steps, in whatever order they are listed") {
  constexpr int n = 40, p = 200;
  const TestFolder folder;
  Engine engine(15);
  std::normal_distribution<double> normal;
  std::string rows, backwards, weights;
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < p; ++j) {
      const double entry = std::exp(1.5 + 0.25 * normal(engine));
      sum += (1 + j % 7) * entry;
      rows += print_real(entry) + ",";
    }
    rows += print_real(sum) + "\n";
  }
  for (int j = p - 1; j >= 0; --j) backwards += std::to_string(j) + (j > 0 ? "; " : "");
  for (int j = p - 1; j >= 0; --j) weights += std::to_string(1 + j % 3) + " ";
  const std::string file = folder.put("far.csv", rows).string();
  const auto at = [&](const Words& groups) {
    return solve(Words{"objective.use=linear-model", "objective.data=" + file, "objective.intercept=no",
                       "objective.standardize=no", "penalty.use=group", "penalty.nonnegative=yes",
                       "penalty.lambda=20", "stop.relative_gap=1e-8", "stop.iterations=200"} +
                 groups);
  };
  const RunResult sized = at({"penalty.groups=1"}), listed = at({"penalty.groups=" + backwards}),
                  weighted = at({"penalty.groups=" + backwards, "penalty.weights=" + weights});
  for (const RunResult* r : {&sized, &listed, &weighted}) CHECK(r->status == Status::relative_gap);
  CHECK(sized.answer.to_dense() == listed.answer.to_dense());
  CHECK(weighted.measurement.value > listed.measurement.value);
}

TEST_CASE("group: weight 0 frees a group, and weight inf holds it at 0") {
  const TestFolder folder;
  const std::string file = folder.put("weights.txt", "0\ninf\n1\n2\n").string();
  const Words groups{"penalty.use=group", "penalty.groups=0-5; 12-17; 6-11; 18-23"};
  for (const std::string variant :
       {"penalty.norm=l2", "penalty.norm=linf", "penalty.nonnegative=yes", "penalty.ratio=0.5"}) {
    const auto at = [&](const std::string& weights, const std::string& lambda) {
      return solution(groups + Words{variant, "penalty.weights=" + weights, "penalty.lambda=" + lambda,
                                     "stop.residual=1e-9"});
    };
    CAPTURE(variant);
    const Numbers x = at("0 inf 1 2", "0.4"), near = at("1e-9 1e9 1 2", "0.4");
    CHECK(x == at(file, "0.4"));
    CHECK(std::sqrt(squared_distance(x, near)) <= 1e-6);
    CHECK(std::all_of(x.begin() + 12, x.begin() + 18, [](double value) { return value == 0.0; }));
    CHECK(std::any_of(x.begin() + 6, x.begin() + 12, [](double value) { return value != 0.0; }));
    if (variant == "penalty.nonnegative=yes" || variant == "penalty.ratio=0.5") {
      const auto run = [&] {
        solve(kGroupedRows + groups + Words{variant, "penalty.weights=0 inf 1 2", "penalty.lambda=0.5*max"});
      };
      check_mentions(complaint(run, ErrorKind::usage), {"lambda", "weight 0", "as a number"});
      continue;
    }
    for (const bool above : {false, true}) {
      const Numbers end = at("0 inf 1 2", above ? "1.001*max" : "0.99*max");
      CHECK(length({end.begin(), end.begin() + 6}) > 0.0);
      CHECK((length({end.begin() + 6, end.end()}) == 0.0) == above);
    }
  }
}

TEST_CASE("group: free groups of a size have no max before the shape is known, and lambda is asked for") {
  const auto run = [] {
    solve(kGroupedRows +
          Words{"penalty.use=group", "penalty.groups=6", "penalty.weights=0 1 1 1", "penalty.lambda=.1*max"});
  };
  check_mentions(complaint(run, ErrorKind::usage), {"weights", "list the groups", "lambda as a number"});
}

TEST_CASE("group-mcp and group-scad: values are integrals of the slope that falls, with weights") {
  constexpr double lambda = 0.5, b = 3.0, zeta = 3.7, w = 1.4142135623730951;
  const auto mcp = penalty("group-mcp", {"lambda=0.5", "b=3", "groups=2", "weights=sqrt"}).make(),
             scad = penalty("group-scad", {"lambda=0.5", "zeta=3.7", "groups=2", "weights=sqrt"}).make();
  for (const double r : {0.0, 0.3, 0.7, 1.0, 2.0, 2.6, 5.0}) {
    const double level = lambda * w;
    const Element x = Element::dense(Shape::vector(4), {0.6 * r, -0.8 * r, 0.0, 0.0});
    CHECK(query<ProximalOracle>(*mcp)->value(x) ==
          doctest::Approx(integral(r, {b * level}, [&](double z) { return std::max(level - z / b, 0.0); })));
    CHECK(query<ProximalOracle>(*scad)->value(x) ==
          doctest::Approx(integral(r, {level, zeta * level}, [&](double z) {
            return std::clamp((zeta * level - z) / (zeta - 1.0), 0.0, level);
          })));
  }
}

TEST_CASE(
    "group-mcp and group-scad: no point of a fine search is better than the step, groups of one are mcp") {
  Engine engine(42);
  const Shape shape = Shape::vector(2);
  for (const Case& c : {penalty("group-mcp", {"lambda=0.5", "b=2", "groups=2", "weights=sqrt"}),
                        penalty("group-scad", {"lambda=0.4", "zeta=2.6", "groups=2"})}) {
    const auto h = c.make();
    auto& oracle = *query<ProximalOracle>(*h);
    for (int trial = 0; trial < 40; ++trial) {
      Numbers v = testing::normals(engine, 2);
      for (double& value : v) value *= 0.3 * (1 + trial % 6);
      const double step = trial % 2 ? 0.4 : 1.1;
      const auto objective = [&](const Numbers& x) {
        return step * oracle.value(Element::dense(shape, x)) + 0.5 * squared_distance(x, v);
      };
      const Numbers x = prox(oracle, shape, v, step);
      const double least = objective(x);
      for (int i = -20; i <= 20; ++i)
        for (int j = -20; j <= 20; ++j) {
          CHECK(objective({0.06 * i * length(v), 0.06 * j * length(v)}) >= least - 1e-12);
          CHECK(objective({x[0] + 1e-4 * i, x[1] + 1e-4 * j}) >= least - 1e-12);
        }
    }
  }
  const Numbers v = testing::normals(engine, 9);
  for (const auto& [one, of_groups] :
       {std::pair{penalty("mcp", {"lambda=0.3", "b=2"}),
                  penalty("group-mcp", {"lambda=0.3", "b=2", "groups=1"})},
        std::pair{penalty("scad", {"lambda=0.3"}), penalty("group-scad", {"lambda=0.3", "groups=1"})}})
    CHECK(std::sqrt(squared_distance(
              prox(*query<ProximalOracle>(*one.make()), Shape::vector(9), v, 0.9),
              prox(*query<ProximalOracle>(*of_groups.make()), Shape::vector(9), v, 0.9))) <= 1e-14);
}

TEST_CASE("group-mcp and group-scad: all tests of the kit, and 0 is the solution from max on") {
  for (const char* name : {"group-mcp", "group-scad"}) {
    for (const Words& groups : group_options(Shape::vector(12)))
      check_conformance(penalty(name, Words{"lambda=0.5"} + groups), Shape::vector(12), {});
    check_conformance(penalty(name, {"lambda=0.5", "groups=rows"}), Shape::matrix(5, 3), {});
    for (const double factor : {0.98, 1.02}) {
      const Numbers x = solution({"penalty.use=" + std::string(name), "penalty.groups=4",
                                  "penalty.weights=sqrt", "penalty.lambda=" + print_real(factor) + "*max",
                                  "algorithm.use=proximal-gradient", "stop.residual=1e-8"});
      CHECK((length(x) == 0.0) == (factor > 1.0));
    }
    const auto h = penalty(name, {"lambda=0.5", "groups=2"}).make();
    Element x;
    check_mentions(complaint([&] { query<ProximalOracle>(*h)->apply(Element(Shape::vector(4)), 9.0, x, {}); },
                             ErrorKind::usage),
                   {"step of length 9", "weak convexity"});
  }
}

TEST_CASE("group-mcp: runs end at stationary points, whatever the algorithm") {
  constexpr double lambda = 0.2, b = 3.0;
  for (const Words& more : {Words{"algorithm.use=proximal-gradient"},
                            {"algorithm.use=coordinate-descent"},
                            {"algorithm.use=working-set"}}) {
    const Words words =
        kGroupedRows + more + Words{"penalty.use=group-mcp", "penalty.lambda=0.2", "penalty.b=3",
                                    "penalty.groups=4",      "stop.residual=1e-7", "stop.iterations=20000"};
    CAPTURE(more[0]);
    const Composition c = compose(build_catalog(), spec_of(words));
    const RunResult r = run_composition(c);
    CHECK(is_target(r.status));
    Element slope(r.answer.shape());
    c.problem().objective->add_gradient(r.answer, Batch::all(), 1.0, slope);
    const Numbers x = r.answer.to_dense(), g = slope.to_dense();
    int active = 0;
    for (std::size_t at = 0; at < x.size(); at += 4) {
      const Numbers mine(x.begin() + static_cast<std::ptrdiff_t>(at),
                         x.begin() + static_cast<std::ptrdiff_t>(at + 4)),
          pull(g.begin() + static_cast<std::ptrdiff_t>(at), g.begin() + static_cast<std::ptrdiff_t>(at + 4));
      const double norm = length(mine);
      if (norm == 0.0) {
        CHECK(length(pull) <= lambda + 1e-5);
        continue;
      }
      ++active;
      for (std::size_t k = 0; k < 4; ++k)
        CHECK(std::abs(pull[k] + std::max(lambda - norm / b, 0.0) * mine[k] / norm) <= 1e-5);
    }
    CHECK(active >= 2);
    CHECK(active <= 5);
  }
}

}  // namespace claros::test::group_variants
