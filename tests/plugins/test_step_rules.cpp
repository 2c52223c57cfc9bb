// SPDX-License-Identifier: BSD-3-Clause
// The weights of every step rule against their formulas, and what they do for Frank-Wolfe.
#include <shared/algorithms/step_rule.hpp>

#include "projected_gradient.hpp"

using namespace claros;
using sdk::StepOptions, sdk::StepQuery, sdk::StepRule;
using namespace claros::test;

namespace {

const Words kRules{"constant", "normalized",  "agnostic", "inverse-sqrt", "inverse",
                   "short",    "line-search", "adaptive", "monotonic"};

/// A point, a vertex and what a rule wants to know of them.
struct Segment {
  Composition composition;
  Element x, v;
  double slope, squared, curvature;  // <g, x - v>, ||v - x||^2, ||A (v - x)||^2 / n

  Segment(const SmallProblem& problem, double radius, double share, std::uint64_t seed)
      : composition(compose(build_catalog(), spec_of(problem.words(radius, {"stop.iterations=1"})))) {
    Engine engine(seed);
    const Index rows = problem.ratings().rows, cols = problem.ratings().cols;
    x = Element::rank_one(1.0, normals(engine, rows), normals(engine, cols));
    x.add(1.0, Element::rank_one(-0.5, normals(engine, rows), normals(engine, cols)));
    x.scale(share * radius / x.nuclear_norm());
    Element g(x.shape());
    composition.objective->add_gradient(x, Batch::all(), 1.0, g);
    composition.problem().linear_oracle->minimize(g, {1e-10, true}, v);
    Element d(v);
    d.add(-1.0, x);
    const std::vector<double> values = d.to_dense();
    const Ratings& r = problem.ratings();
    slope = -inner(g, d);
    squared = inner(d, d);
    curvature = 0.0;
    for (std::size_t e = 0; e < r.value.size(); ++e)
      curvature += std::pow(values[static_cast<std::size_t>(r.col[e] * rows + r.row[e])], 2);
    curvature /= static_cast<double>(problem.n());
  }

  StepQuery query(Index t = 0) {
    return {t,
            slope,
            composition.problem().linear_oracle->diameter(composition.problem().objective->shape()),
            &x,
            &v,
            composition.objective.get(),
            [this] { return squared; }};
  }
  double value(double gamma) {
    Element point(x);
    point.blend(gamma, v);
    return composition.objective->value(point);
  }

 private:
  static std::vector<double> normals(Engine& engine, Index n) {
    std::normal_distribution<double> normal;
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& value : values) value = normal(engine);
    return values;
  }
};

StepOptions options_of(const std::string& rule) {
  StepOptions o;
  o.step = *claros::detail::value_of(sdk::step_words(), rule);
  o.weight = 0.05;
  o.eta = 0.3;
  o.offset = 3.0;
  o.scale = 0.7;
  return o;
}

Words words_of(const std::string& rule) {
  Words words{"algorithm.step=" + rule};
  if (rule == "constant") words.push_back("algorithm.weight=0.02");
  if (rule == "normalized") words.push_back("algorithm.eta=0.1");
  return words;
}

}  // namespace

TEST_CASE("step rules: the weights that are a formula of t and D") {
  StepQuery query;
  query.diameter = 4.0;
  for (Index t = 0; t < 2000; t = 2 * t + 1) {
    query.t = t;
    const double s = static_cast<double>(t);
    const auto weight = [&](const std::string& rule) { return StepRule(options_of(rule)).weight(query); };
    CHECK(weight("constant") == 0.05);
    CHECK(weight("normalized") == 0.3 / 4.0);
    CHECK(weight("agnostic") == doctest::Approx(3.0 / (s + 3.0)).epsilon(1e-15));
    CHECK(weight("inverse-sqrt") == doctest::Approx(0.7 / std::sqrt(s + 1)).epsilon(1e-15));
    CHECK(weight("inverse") == doctest::Approx(0.7 / (s + 1)).epsilon(1e-15));
  }
  StepOptions plain;
  CHECK(StepRule(plain).rule() == sdk::Step::agnostic);
  CHECK(StepRule(plain).weight({}) == 1.0);
}

TEST_CASE("step rules: no weight leaves [0, 1]") {
  StepQuery query;
  query.diameter = 0.1;
  for (const std::string rule : {"normalized", "inverse-sqrt", "inverse"}) {
    StepOptions o = options_of(rule);
    o.scale = 5.0;
    CHECK(StepRule(o).weight(query) == 1.0);
  }
}

TEST_CASE("step rules: auto takes what is given, and what is lacking is said") {
  StepOptions o;
  o.eta = 0.1;
  CHECK(StepRule(o).rule() == sdk::Step::normalized);
  o.weight = 0.2;
  CHECK(StepRule(o).rule() == sdk::Step::constant);
  for (const auto& [rule, key] :
       {std::pair<std::string, std::string>{"constant", "weight"}, {"normalized", "eta"}}) {
    StepOptions lacking;
    lacking.step = *claros::detail::value_of(sdk::step_words(), rule);
    const std::string text = complaint([&] { StepRule{lacking}; }, ErrorKind::usage);
    check_mentions(text, {rule.c_str(), ("give " + key).c_str()});
  }
}

TEST_CASE(
    "step rules: the short step minimises the quadratic upper bound, with the given L or the objective's") {
  const SmallProblem problem(301, 9, 7, 2, 40);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Segment s(problem, 5.0, 0.1 + 0.04 * static_cast<double>(seed), seed);
    StepOptions o;
    o.step = sdk::Step::short_step;
    const double L = 1.0 / 40;
    CHECK(StepRule(o).weight(s.query()) == doctest::Approx(std::clamp(s.slope / (L * s.squared), 0.0, 1.0)));
    o.smoothness = 0.7;
    CHECK(StepRule(o).weight(s.query()) ==
          doctest::Approx(std::clamp(s.slope / (0.7 * s.squared), 0.0, 1.0)));
    StepQuery uphill = s.query();
    uphill.slope = -1.0;
    CHECK(StepRule(o).weight(uphill) == 0.0);
    StepQuery nowhere = s.query();
    nowhere.squared_distance = [] { return 0.0; };
    CHECK(StepRule(o).weight(nowhere) == 0.0);
  }
}

TEST_CASE("step rules: the line search finds the minimum of a quadratic along the segment") {
  const SmallProblem problem(302, 9, 7, 2, 40);
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Segment s(problem, seed % 2 ? 5.0 : 60.0, 0.05 + 0.02 * static_cast<double>(seed), seed);
    StepOptions o;
    o.step = sdk::Step::line_search;
    const double exact = std::clamp(s.slope / s.curvature, 0.0, 1.0), weight = StepRule(o).weight(s.query());
    CHECK(weight == doctest::Approx(exact).epsilon(1e-8));
    inside += exact > 0 && exact < 1;
    for (const double gamma : {0.0, 0.3 * exact, 0.99 * exact, std::min(1.0, 1.01 * exact), 1.0})
      CHECK(s.value(weight) <= s.value(gamma) * (1 + 1e-13));
    std::swap(s.x, s.v);  // from the vertex back: f rises at once
    if (exact == 1.0) CHECK(StepRule(o).weight(s.query()) < 1.0);
  }
  CHECK(inside > 10);
  CHECK(inside < 40);
}

namespace {

/// The state of the adaptive rule.
struct Local {
  double L = 0.0;
  double share = 1.0;  ///< that of the monotonic one, which leaves it alone
  void state(StateVisitor& v) { v("local smoothness", L), v("share", share); }
};

template <class From, class To>
void copy_state(From& from, To& to) {
  const References none;
  StateWriter out(none);
  out("rule", from);
  StateReader in(out.bytes(), none, "test");
  in("rule", to);
}

double local_smoothness(StepRule& rule) {
  Local local;
  copy_state(rule, local);
  return local.L;
}

void set_local_smoothness(StepRule& rule, double L) {
  Local local{L};
  copy_state(local, rule);
}

}  // namespace

TEST_CASE("step rules: adaptive decreases by what its model promises") {
  const SmallProblem problem(303, 9, 7, 2, 40);
  StepOptions o;
  o.step = sdk::Step::adaptive;
  StepRule rule(o);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Segment s(problem, seed % 3 ? 5.0 : 30.0, 0.9, seed);
    const double gamma = rule.weight(s.query()), L = local_smoothness(rule);
    CHECK(gamma > 0.0);
    CHECK(gamma == doctest::Approx(std::min(1.0, s.slope / (L * s.squared))));
    const double before = s.value(0.0);
    CHECK(s.value(gamma) < before);
    CHECK(s.value(gamma) <= before - gamma * s.slope + 0.5 * gamma * gamma * L * s.squared + 1e-13 * before);
  }
  // A guess far too large is forgotten, one far too small is doubled until it fits.
  Segment s(problem, 30.0, 0.9, 1);
  set_local_smoothness(rule, 1e-9);
  const double gamma = rule.weight(s.query());
  CHECK(s.value(gamma) < s.value(0.0));
  set_local_smoothness(rule, 1e3);
  CHECK(rule.weight(s.query()) < gamma);
  CHECK(local_smoothness(rule) < 1e3);
}

TEST_CASE("step rules: adaptive keeps its state when no step helps") {
  const SmallProblem problem(303, 9, 7, 2, 40);
  Segment s(problem, 5.0, 0.9, 1);
  StepOptions o;
  o.step = sdk::Step::adaptive;
  StepRule rule(o);
  set_local_smoothness(rule, 0.5);
  StepQuery impossible = s.query();
  impossible.slope = 1e30;  // a decrease that nothing keeps
  CHECK(rule.weight(impossible) == 0.0);
  CHECK(local_smoothness(rule) <= 0.5);
}

TEST_CASE("frank-wolfe converges with every rule") {
  const SmallProblem problem(304, 12, 10, 2, 70);
  const double radius = 12.0;
  const Optimum best = optimum(problem, radius);
  REQUIRE(best.value - best.lower < 1e-9 * best.value);
  for (const std::string& rule : kRules) {
    CAPTURE(rule);
    const Words words =
        problem.words(radius, words_of(rule) + Words{"stop.iterations=3000", "trace.every=1"});
    const RunResult r = solve(words);
    const double start = r.trace.front().value;
    CHECK(r.failure.empty());
    CHECK(r.measurement.value - best.value < (rule == "inverse" ? 0.05 : 0.02) * (start - best.value));
    CHECK(r.measurement.value >= best.lower * (1 - 1e-12));
    if (rule != "short" && rule != "line-search" && rule != "adaptive" && rule != "monotonic") continue;
    // Up to what recompression may cost: a thousandth of the gap.
    for (std::size_t k = 1; k < r.trace.size(); ++k)
      CHECK(r.trace[k].value <= r.trace[k - 1].value * (1 + 1e-12) + 1e-3 * r.trace[k - 1].gap);
  }
}

TEST_CASE(
    "frank-wolfe: monotonic steps are agnostic ones, halved where f would rise, as those of agnostic make "
    "it") {
  const SmallProblem problem(304, 12, 10, 2, 70);
  const auto run = [&](const std::string& rule) {
    return solve(problem.words(12.0, {"algorithm.step=" + rule, "stop.iterations=200", "trace.every=1"}));
  };
  const auto rises = [](const RunResult& r) {
    int count = 0;
    for (std::size_t k = 1; k < r.trace.size(); ++k)
      count += r.trace[k].value > r.trace[k - 1].value * (1 + 1e-9);
    return count;
  };
  const RunResult monotonic = run("monotonic");
  CHECK(rises(run("agnostic")) > 0);
  CHECK(rises(monotonic) == 0);
  double share = 1.0;
  for (std::size_t k = 1; k < monotonic.trace.size(); ++k) {
    const double now = monotonic.trace[k].step * (static_cast<double>(k - 1) + 2.0) / 2.0;
    const double halvings = std::log2(share / now);
    CHECK(halvings == doctest::Approx(std::round(halvings)).epsilon(1e-9));
    CHECK(halvings > -1e-9);
    share = now;
  }
  CHECK(share < 1.0);
}

TEST_CASE("frank-wolfe with the agnostic rule stays below 2 L D^2 / (t + 2), and with the short step too") {
  for (const std::string rule : {"agnostic", "short", "line-search"})
    for (const double radius : {3.0, 15.0, 80.0}) {
      const SmallProblem problem(305, 12, 10, 2, 70);
      const Optimum best = optimum(problem, radius);
      const RunResult r =
          solve(problem.words(radius, {"algorithm.step=" + rule, "algorithm.oracle_tolerance=1e-9",
                                       "stop.iterations=400", "trace.every=1"}));
      const double L = 1.0 / 70, D = 2 * radius;
      CAPTURE(rule);
      CAPTURE(radius);
      double smallest_gap = std::numeric_limits<double>::infinity();
      for (const TraceRow& row : r.trace) {
        smallest_gap = std::min(smallest_gap, row.gap);
        if (row.iteration == 0) continue;
        const double t = static_cast<double>(row.iteration);
        CHECK(row.value - best.value <= 2 * L * D * D / (t + 2));
        CHECK(row.gap >= row.value - best.value - 1e-12);
        // Jaggi 2013, theorem 2, beta = 27/8.
        CHECK(smallest_gap <= 27.0 / 8.0 * 2 * L * D * D / (t + 2));
      }
    }
}

TEST_CASE("frank-wolfe takes the weight that its rule says") {
  const SmallProblem problem(306, 6, 5, 1, 20);
  const Composition c =
      compose(build_catalog(),
              spec_of(problem.words(2.0, {"algorithm.use=nfwu", "algorithm.eta=0.1", "stop.iterations=5"})));
  CHECK(c.names.algorithm == "algorithm/frank-wolfe");
  (void)run_composition(c);
  CHECK(c.algorithm->report().weight == 0.1 / 4.0);
  CHECK(c.algorithm->report().full_gradient);
}

TEST_CASE("a short step without L is refused before the first step") {
  const Composition c = compose(
      fixture_catalog(), spec_of({"objective.use=sound-distance", "set.use=frobenius-ball",
                                  "algorithm.use=frank-wolfe", "algorithm.step=short", "stop.iterations=5"}));
  check_mentions(complaint([&] { (void)run_composition(c); }, ErrorKind::usage),
                 {"smoothness", "smoothness"});
}
