// SPDX-License-Identifier: BSD-3-Clause
// What penalties offer besides the proximal step: conjugates, and steps of single coordinates.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("penalties: Fenchel's inequality, with equality at subgradients") {
  Engine engine(206);
  for (const Shape& shape : case_shapes())
    for (const Case& c : convex(shape)) {
      CAPTURE(c.text());
      CAPTURE(shape.text());
      const auto component = c.make();
      auto& h = *query<ProximalOracle>(*component);
      auto* conjugate = query<Conjugate>(*component);
      REQUIRE(conjugate);
      for (const double scale : {0.2, 3.0}) {
        const double step = 0.7;
        const std::vector<double> v = random_point(engine, shape, scale), x = prox(h, shape, v, step);
        const Element s = Element::dense(shape, combined(1.0 / step, v, -1.0 / step, x));
        const double sum = h.value(Element::dense(shape, x)) + conjugate->conjugate(s);
        CHECK(sum == doctest::Approx(inner(s, Element::dense(shape, x))).epsilon(1e-9));
        CHECK(conjugate->into_domain(s) >= 1.0 - 1e-9);
        const Element any = Element::dense(shape, random_point(engine, shape, scale));
        const double of_any = conjugate->conjugate(any);
        for (int trial = 0; trial < 40; ++trial) {
          const Element y =
              Element::dense(shape, prox(h, shape, random_point(engine, shape, trial % 2 ? 5.0 : 0.3), step));
          CHECK(h.value(y) + of_any >= inner(any, y) - 1e-10 * (1.0 + std::abs(inner(any, y))));
        }
      }
    }
  for (const Case& c : weakly_convex_penalties()) CHECK(query<Conjugate>(*c.make()) == nullptr);
}

TEST_CASE("penalties: into_domain is the edge of the conjugate's domain") {
  Engine engine(207);
  bool seen_inside = false;
  for (const Shape& shape : case_shapes())
    for (const Case& c : convex(shape)) {
      CAPTURE(c.text());
      const auto component = c.make();
      auto* conjugate = query<Conjugate>(*component);
      for (int trial = 0; trial < 20; ++trial) {
        const Element s = Element::dense(shape, random_point(engine, shape, trial % 2 ? 5.0 : 0.3));
        const double a = conjugate->into_domain(s);
        CHECK((a >= 0.0 && a <= 1.0));
        Element edge(s), beyond(s);
        edge.scale(a), beyond.scale(a > 0.0 ? 1.001 * a : 1e-6);
        CHECK(conjugate->conjugate(edge) < kInf);
        if (a < 1.0 / 1.001) CHECK(conjugate->conjugate(beyond) == kInf);
        seen_inside = seen_inside || (a > 0.0 && a < 1.0);
      }
      CHECK(conjugate->conjugate(Element(shape)) == doctest::Approx(0.0));
      CHECK(conjugate->into_domain(Element(shape)) == 1.0);
    }
  CHECK(seen_inside);
}

TEST_CASE("penalties: a separable one is the sum of its coordinates, and only without a side constraint") {
  Engine engine(208);
  const Shape shape = Shape::matrix(3, 8);
  for (const Case& c : all_penalties(shape)) {
    CAPTURE(c.text());
    const auto component = c.make();
    auto* separable = query<Separable>(*component);
    const bool by_nature = c.name != "group" && c.name != "sparse-group" && c.name != "nuclear";
    CHECK((separable != nullptr) == (by_nature && rho_of(c) == kInf));
    CHECK(query<State>(*component) != nullptr);
    if (!separable) continue;
    const double step = 0.2;
    const std::vector<double> v = random_point(engine, shape, 2.0),
                              x = prox(*query<ProximalOracle>(*component), shape, v, step);
    for (std::size_t j = 0; j < v.size(); ++j)
      CHECK(x[j] == separable->apply_coordinate(v[j], step, static_cast<Index>(j)));
  }
}
