// SPDX-License-Identifier: BSD-3-Clause
// Penalties by what defines them: the proximal step minimises, the side constraint binds where it must, the
// conjugate is one.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

namespace {

double objective(ProximalOracle& h, const Shape& shape, const std::vector<double>& v, double step,
                 const std::vector<double>& x) {
  return step * h.value(Element::dense(shape, x)) + 0.5 * squared_distance(x, v);
}

/// psi(x) as ArrayPenalty defines it, from two values of the penalty without a side constraint.
double psi(const Case& c, const Shape& shape, const std::vector<double>& x) {
  Case plain = c;
  std::erase_if(plain.options, [](const std::string& word) { return word.starts_with("rho="); });
  for (std::string& word : plain.options)
    if (word == "lambda=0") word = "lambda=0.1";
  const auto component = plain.make();
  auto& h = *query<ProximalOracle>(*component);
  double lambda = 0.1;
  for (const std::string& word : plain.options)
    if (word.starts_with("lambda=")) lambda = parse_real(word.substr(7));
  return (h.value(Element::dense(shape, x)) + 0.5 * h.weak_convexity() * dot(x, x)) / lambda;
}

}  // namespace

TEST_CASE("penalties: proximal steps and convexity, option by option") {
  for (const Shape& shape : case_shapes())
    for (const Case& c : all_penalties(shape)) {
      check_conformance(
          c, shape, {"prox-minimal", "prox-step", "prox-subgradient", "prox-nonexpansive", "weak-convexity"});
      const bool convex = c.name != "scad" && c.name != "mcp" && c.name != "log-sum" && c.name != "l0" &&
                          c.name != "capped-l1" && c.name != "rank";
      CHECK((query<ProximalOracle>(*c.make())->weak_convexity() == 0.0) == convex);
    }
}

// From some length on the answer of a seminorm is that of every longer step: 0, or what costs nothing.
TEST_CASE("penalties: the longest steps keep the digits of the point") {
  Engine engine(31);
  int seminorms = 0;
  const std::vector<Case> of_differences{
      penalty("tv", {"lambda=0.3"}),
      penalty("tv", {"lambda=0.3", "along=rows"}),
      penalty("tv", {"lambda=0.3", "along=both"}),
      penalty("tv", {"lambda=0.3", "along=both", "kind=isotropic"}),
      penalty("fused", {"lambda=0.3", "ratio=0"}),
      penalty("fused", {"lambda=0.3", "ratio=0.4", "along=rows"}),
      penalty("sum", {"terms.1.use=tv", "terms.1.lambda=0.3", "terms.2.use=l1", "terms.2.lambda=0.2"})};
  for (const Shape& shape : case_shapes())
    for (const Case& c : convex(shape) + of_differences) {
      CAPTURE(c.text());
      CAPTURE(shape.text());
      const auto component = c.make();
      auto& h = *query<ProximalOracle>(*component);
      const std::vector<double> v = random_point(engine, shape, 3.0);
      const double value = h.value(Element::dense(shape, v)),
                   twice = h.value(Element::dense(shape, combined(2.0, v, 0.0, v)));
      if (!std::isfinite(value) || std::abs(twice - 2.0 * value) > 1e-9 * std::abs(value)) continue;
      ++seminorms;
      Element last;
      const double known = h.apply(Element::dense(shape, v), 1e5, last, {}).error;
      for (const double step : {1e12, 1e17, 1e22}) {
        CAPTURE(step);
        Element x;
        const Certificate certificate = h.apply(Element::dense(shape, v), step, x, {});
        CHECK(std::sqrt(squared_distance(x.to_dense(), last.to_dense())) <=
              1e-12 + certificate.error + known);
        CHECK(certificate.error <= 1e-6);
      }
    }
  CHECK(seminorms > 20);
}

TEST_CASE("penalties: those that are not convex against a fine grid, coordinate by coordinate") {
  const Shape one = Shape::matrix(1, 1);
  for (const Case& c : weakly_convex_penalties() + unconvexifiable_penalties()) {
    CAPTURE(c.text());
    const auto component = c.make();
    auto& h = *query<ProximalOracle>(*component);
    REQUIRE(h.weak_convexity() > 0.0);
    const double longest = h.weak_convexity() < kInfinity ? 1.0 / h.weak_convexity() : 3.0;
    for (const double step : {0.1 * longest, 0.5 * longest, 0.99 * longest})
      for (double v = -3.0; v <= 3.0; v += 0.0625) {
        CAPTURE(v);
        const double x = prox(h, one, {v}, step).front();
        const double best = objective(h, one, {v}, step, {x});
        double grid = kInfinity;
        for (double u = -3.0; u <= 3.0; u += 0.01) grid = std::min(grid, objective(h, one, {v}, step, {u}));
        CHECK(best <= grid + 1e-12);
        for (const double near : {1e-6, -1e-6, 1e-4, -1e-4})
          CHECK(best <= objective(h, one, {v}, step, {x + near}) + 1e-15);
      }
  }
}

TEST_CASE("penalties: values of SCAD and MCP are those of their integrals") {
  const auto scad = penalty("scad", {"lambda=0.5", "zeta=3.7"}).make(),
             mcp = penalty("mcp", {"lambda=0.5", "b=3"}).make();
  double scad_sum = 0.0, mcp_sum = 0.0;
  constexpr double kStep = 1e-4;
  for (double t = 0.0; t < 3.0; t += kStep) {
    const double middle = t + kStep / 2;
    scad_sum += kStep * (middle <= 0.5 ? 0.5 : std::max(0.0, (3.7 * 0.5 - middle) / 2.7));
    mcp_sum += kStep * 0.5 * std::max(0.0, 1.0 - middle / (0.5 * 3));
    const Element x = Element::dense(Shape::vector(2), {t + kStep, -t - kStep});
    CHECK(query<ProximalOracle>(*scad)->value(x) == doctest::Approx(2 * scad_sum).epsilon(1e-6));
    CHECK(query<ProximalOracle>(*mcp)->value(x) == doctest::Approx(2 * mcp_sum).epsilon(1e-6));
  }
}

TEST_CASE("penalties: a step at which a weakly convex one has no unique answer is refused") {
  for (const Case& c : weakly_convex_penalties()) {
    const auto component = c.make();
    auto& h = *query<ProximalOracle>(*component);
    Element x;
    const Element v = Element::dense(Shape::vector(2), {1.0, 2.0});
    for (const double step : {1.0 / h.weak_convexity(), 5.0 / h.weak_convexity()}) {
      check_mentions(complaint([&] { h.apply(v, step, x, {}); }, ErrorKind::usage), {"step", "mu", "below"});
    }
  }
  for (const Case& c : all_penalties(Shape::vector(12))) {
    const auto component = c.make();
    Element x;
    for (const double step : {-1.0, kNan, kInfinity})
      (void)complaint(
          [&] {
            query<ProximalOracle>(*component)
                ->apply(Element::dense(Shape::vector(12), std::vector<double>(12, 1.0)), step, x, {});
          },
          ErrorKind::usage);
  }
}

TEST_CASE("penalties: the convexified step minimises h + (mu/2)||x||^2, side constraint included") {
  Engine engine(204);
  const Shape shape = Shape::vector(6);
  for (const Case& c : weakly_convex_penalties() + bounded(weakly_convex_penalties())) {
    CAPTURE(c.text());
    const auto component = c.make();
    auto& h = *query<ProximalOracle>(*component);
    const double mu = h.weak_convexity();
    for (const double step : {0.3, 2.0, 50.0}) {
      const std::vector<double> v = random_point(engine, shape, 2.0);
      Element x, in_place = Element::dense(shape, v);
      apply_convexified(h, Element::dense(shape, v), step, x, {});
      apply_convexified(h, in_place, step, in_place, {});
      CHECK(same_bits(x, in_place));
      const auto convexified = [&](const std::vector<double>& y) {
        return objective(h, shape, v, step, y) + 0.5 * step * mu * dot(y, y);
      };
      const std::vector<double> answer = x.to_dense();
      const double best = convexified(answer);
      REQUIRE(std::isfinite(best));
      for (const double size : {1e-5, 1e-3, 0.1, 1.0})
        for (int trial = 0; trial < 100; ++trial) {
          const std::vector<double> d = random_point(engine, shape, size);
          CHECK(convexified(combined(1.0, answer, 1.0, d)) >= best - 1e-11 * (1.0 + best));
          // Its own domain is convex: on the way to another point of it.
          const std::vector<double> other = prox(h, shape, combined(1.0, v, 1.0 / size, d), 0.5 / mu);
          CHECK(convexified(combined(1.0 - size / 2, answer, size / 2, other)) >=
                best - 1e-11 * (1.0 + best));
        }
    }
  }
}

TEST_CASE("penalties: the side constraint against bisection on its multiplier over plain proximal steps") {
  Engine engine(205);
  for (const Shape& shape : case_shapes())
    for (const Case& c : bounded(convex_penalties(shape)) + bounded(weakly_convex_penalties())) {
      CAPTURE(c.text());
      CAPTURE(shape.text());
      const double rho = rho_of(c);
      Case plain = c;
      plain.options.pop_back();
      bool no_weight = false;
      for (std::string& word : plain.options)
        if (word == "lambda=0") word = "lambda=1", no_weight = true;
      const auto with = c.make(), without = plain.make();
      auto &h = *query<ProximalOracle>(*with), &p = *query<ProximalOracle>(*without);
      const double mu = h.weak_convexity(), step = mu > 0.0 ? 0.4 / mu : 0.4;
      const std::vector<double> v = random_point(engine, shape, 2.0);
      const std::vector<double> x = prox(h, shape, v, step);
      CHECK(psi(c, shape, x) <= rho * (1 + 1e-10));
      // prox of (step + extra) times the convexified form at v / (1 - step mu), through the plain penalty's
      // own step.
      const auto relaxed = [&](double extra) {
        const double shrink = 1.0 - step * mu;
        const double t = ((no_weight ? 0.0 : step) + extra) / shrink;
        Element y;
        apply_convexified(p, Element::dense(shape, combined(1.0 / shrink, v, 0.0, v)), t, y, {});
        return y.to_dense();
      };
      double low = 0.0, high = 1.0;
      std::vector<double> slow = relaxed(0.0);
      if (psi(c, shape, slow) > rho) {
        while (psi(c, shape, relaxed(high)) > rho) high *= 2;
        for (int k = 0; k < 100; ++k) {
          const double middle = 0.5 * (low + high);
          (psi(c, shape, relaxed(middle)) > rho ? low : high) = middle;
        }
        slow = relaxed(high);
        CHECK(psi(c, shape, x) == doctest::Approx(rho).epsilon(1e-9));
      }
      CHECK(std::sqrt(squared_distance(x, slow)) <= 1e-9 * (1.0 + std::sqrt(dot(slow, slow))));
    }
}
