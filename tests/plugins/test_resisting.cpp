// SPDX-License-Identifier: BSD-3-Clause
// The resisting oracle: one function in the end, whatever it was asked, and one on which T linear
// minimisations are too few.
#include "estimator_problems.hpp"
#include "linear_problem.hpp"
#include "trace_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/objective.hpp>

#include <numbers>
#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

std::shared_ptr<Objective> hard(const Words& options, std::uint64_t seed = 0) {
  std::vector<Setting> settings;
  for (const std::string& word : options)
    settings.push_back({word.substr(0, word.find('=')), word.substr(word.find('=') + 1), {}, {}});
  Context context;
  context.seed = seed;
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "resisting", settings, context));
}

Dense drawn(Engine& engine, Index count, double scale) {
  std::normal_distribution<double> normal;
  Dense x(static_cast<std::size_t>(count));
  for (double& entry : x) entry = scale * normal(engine);
  return x;
}

double product(const Dense& x, const Dense& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

double value(Objective& f, const Dense& x) { return f.value(Element::dense(f.shape(), x)); }
Dense slope(Objective& f, const Dense& x) {
  Element g(f.shape());
  f.add_gradient(Element::dense(f.shape(), x), Batch::all(), 1.0, g);
  return g.to_dense();
}
void ask(Objective& f, const Dense& x, bool for_gradient) {
  query<Adversary>(f)->asked(Element::dense(f.shape(), x), for_gradient);
}

Words run_of(Index T, const char* set, const Words& more = {}) {
  const std::string R = print_real(230.0 * std::sqrt(static_cast<double>(T)));
  return Words{"objective.use=resisting",     "objective.columns=" + std::to_string(T),
               std::string("set.use=") + set, "set.radius=" + R,
               "algorithm.use=frank-wolfe",   "estimator.use=full",
               "algorithm.step=line-search",  "trace.every=1"} +
         more;
}

/// x_0, and then points that go on along gradients, random points, and sums of both: what no ball's linear
/// oracle would lead to.
Dense next_point(Engine& engine, const Dense& x, const Dense& g, int k) {
  const double length = size(g);
  if (k % 3 == 0) return drawn(engine, static_cast<Index>(x.size()), 0.5 + k % 4);
  Dense next = length > 0.0 ? plus(x, -2.0 / length, g) : x;
  return k % 3 == 1 ? next : plus(next, 1.0, drawn(engine, static_cast<Index>(x.size()), 0.3));
}

}  // namespace

TEST_CASE("resisting: of one column it is the formula, in the paper's scale too") {
  const double phi0 = std::sqrt(0.5 * std::numbers::pi * std::numbers::e);
  const auto f = hard({"columns=1", "dimension=3"});
  CHECK(value(*f, {0, 0, 0}) == doctest::Approx(-phi0).epsilon(1e-14));
  const Dense v = slope(*f, {0, 0, 0});  // -sqrt(e) v_1
  CHECK(size(v) == doctest::Approx(std::exp(0.5)).epsilon(1e-14));
  for (const double y : {-3.0, -0.7, 0.4, 1.9}) {
    const Dense x = plus(Dense(3, 0.0), -y / std::exp(0.5), v);
    CHECK(value(*f, x) ==
          doctest::Approx(0.1 * y * y - phi0 * std::erfc(-y / std::numbers::sqrt2)).epsilon(1e-13));
  }
  const double L = 3.0, R = 7.0, mu = R / (230.0 * 2.0), height = L / std::pow(3.0, 15);
  const auto scaled = hard({"columns=4", "smoothness=3", "radius=7"}), plain = hard({"columns=4"});
  Engine engine(3);
  const Dense x = drawn(engine, 9, 1.0);
  CHECK(value(*scaled, plus(Dense(9, 0.0), mu, x)) ==
        doctest::Approx(height * mu * mu * value(*plain, x)).epsilon(1e-12));
  CHECK(size(plus(slope(*scaled, plus(Dense(9, 0.0), mu, x)), -height * mu, slope(*plain, x))) <=
        1e-12 * height * mu * size(slope(*plain, x)));
}

TEST_CASE(
    "resisting: gradients are those of the values, their constant is below 152.2 and not far below, and no "
    "value is below the bound") {
  const auto f = hard({"columns=6"});
  const Constants c = f->constants();
  CHECK(*c.smoothness == doctest::Approx(152.2));
  Engine engine(7);
  double steepest = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    const Dense x = drawn(engine, 13, 1.0 + trial % 3), g = slope(*f, x);
    Dense d = drawn(engine, 13, 1.0);
    d = plus(Dense(13, 0.0), 1.0 / size(d), d);
    constexpr double h = 1e-5;
    CHECK((value(*f, plus(x, h, d)) - value(*f, plus(x, -h, d))) / (2.0 * h) ==
          doctest::Approx(product(g, d)).epsilon(1e-5).scale(1.0));
    CHECK(value(*f, x) >= *c.lower_bound);
    for (int k = 0; k < 10; ++k) {  // along the largest change of the gradient
      const Dense change = plus(slope(*f, plus(x, 1e-4, d)), -1.0, g);
      steepest = std::max(steepest, size(change) / 1e-4);
      d = plus(Dense(13, 0.0), 1.0 / size(change), change);
    }
  }
  CHECK(steepest <= *c.smoothness * (1.0 + 1e-6));
  CHECK(steepest >= 20.0);
}

TEST_CASE(
    "resisting: what was answered is true of the function of the end, bit by bit, and a gradient tells of "
    "one column at most") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    constexpr Index T = 12;
    const auto f = hard({"columns=12", "dimension=40"}, seed);
    Engine engine(seed);
    std::vector<Dense> points, gradients;
    Dense values, x(40, 0.0);
    std::vector<Dense> basis;  // orthonormal, of points and gradients, one after the other
    const auto joins = [&](Dense v) {
      const double whole = size(v);
      for (int pass = 0; pass < 2; ++pass)
        for (const Dense& q : basis) v = plus(v, -product(q, v), q);
      if (size(v) <= 1e-6 * whole || whole == 0.0) return false;
      basis.push_back(plus(Dense(v.size(), 0.0), 1.0 / size(v), v));
      return true;
    };
    int columns = 0;
    for (int k = 0; k < 24; ++k) {
      const bool for_gradient = k % 5 != 4;
      ask(*f, x, for_gradient);
      points.push_back(x), values.push_back(value(*f, x)),
          gradients.push_back(for_gradient ? slope(*f, x) : Dense());
      (void)joins(x);
      if (for_gradient) columns += joins(gradients.back());
      CHECK(columns <= k + 1);
      x = next_point(engine, x, for_gradient ? gradients.back() : gradients.front(), k);
    }
    CHECK(columns >= 3);
    CHECK(columns <= T);
    for (std::size_t k = 0; k < points.size(); ++k) {
      CAPTURE(k);
      CHECK(value(*f, points[k]) == doctest::Approx(values[k]).epsilon(1e-14));
      if (!gradients[k].empty()) CHECK(slope(*f, points[k]) == gradients[k]);
    }
    // Of the end: one function, whose values have these gradients.
    Dense d = drawn(engine, 40, 1.0);
    for (const Dense& at : points)
      CHECK((value(*f, plus(at, 1e-5, d)) - value(*f, plus(at, -1e-5, d))) / 2e-5 ==
            doctest::Approx(product(slope(*f, at), d)).epsilon(1e-5).scale(1.0));
  }
}

TEST_CASE(
    "resisting: no column is seen at a point before it was asked for, and where no room is left the function "
    "is settled") {
  const auto f = hard({"columns=5"});
  Engine engine(5);
  for (int k = 0; k < 4; ++k) {
    const Dense x = drawn(engine, 11, 30.0);
    ask(*f, x, false);
    CHECK(value(*f, x) ==
          doctest::Approx(0.1 * product(x, x) - std::sqrt(0.5 * std::numbers::pi * std::numbers::e))
              .epsilon(1e-12));
  }
  const auto tight = hard({"columns=5", "dimension=5"});
  const Dense at = drawn(engine, 5, 3.0);
  const double before = value(*tight, at);
  for (int k = 0; k < 4; ++k) ask(*tight, drawn(engine, 5, 3.0), true);
  CHECK(value(*tight, at) == doctest::Approx(before).epsilon(1e-13));
  query<Adversary>(*tight)->forget();
  CHECK(value(*tight, at) == before);
  check_mentions(refusal(ErrorKind::usage,
                         [] {
                           (void)hard({"columns=5", "dimension=4"});
                         }),
                 {"objective.dimension", "orthonormal"});
}

TEST_CASE(
    "resisting: before T linear minimisations the gap is 0.04 (L mu / l) D and more, for every rule of "
    "steps") {
  constexpr Index T = 16;
  const double bound = 0.04 * 2.0 * 230.0 * 4.0;
  for (const Words& step : {Words{"algorithm.step=line-search"}, Words{"algorithm.step=short"},
                            Words{"algorithm.step=agnostic"}}) {
    CAPTURE(step.front());
    const RunResult r =
        solve(run_of(T, "l2-ball", step + Words{"stop.iterations=4000", "stop.gap=" + print_real(bound)}));
    REQUIRE(r.failure.empty());
    for (const TraceRow& row : r.trace)
      if (row.counts.lo < T) CHECK(row.gap >= bound);
    CHECK(r.status == Status::gap);
    CHECK(r.counts.lo >= T);
  }
}

TEST_CASE(
    "resisting: measuring settles nothing, a second run starts anew, and a resumed run is the same run") {
  for (const char* set : {"l2-ball", "l1-ball"}) {
    CAPTURE(set);
    const Words words = run_of(6, set, {"stop.iterations=14"});
    const Composition twice = compose(build_catalog(), spec_of(words));
    const RunResult first = run_composition(twice), second = run_composition(twice),
                    quiet = solve(words + Words{"trace.every=5"});
    REQUIRE(first.failure.empty());
    CHECK(first.iterations == 14);
    CHECK(same_bits(first.answer, second.answer));
    CHECK(same_bits(first.answer, quiet.answer));
    CHECK(first.measurement.value == quiet.measurement.value);
    const Saved saved = solve_and_save(words);
    for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  }
}
