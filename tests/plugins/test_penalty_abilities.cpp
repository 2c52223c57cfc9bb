// SPDX-License-Identifier: BSD-3-Clause
// What penalties offer besides the proximal step: conjugates, and steps of single coordinates.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("penalties: convex ones have a conjugate, the others none") {
  for (const Shape& shape : case_shapes())
    for (const Case& c : convex(shape)) {
      REQUIRE(query<Conjugate>(*c.make()));
      check_conformance(c, shape, {"conjugate", "conjugate-domain"});
    }
  for (const Case& c : weakly_convex_penalties() + unconvexifiable_penalties())
    CHECK(query<Conjugate>(*c.make()) == nullptr);
}

TEST_CASE("penalties: a separable one is the sum of its coordinates, and only without a side constraint") {
  const Shape shape = Shape::matrix(3, 8);
  for (const Case& c : all_penalties(shape)) {
    CAPTURE(c.text());
    const auto component = c.make();
    auto* separable = query<Separable>(*component);
    const bool by_nature = c.name != "nuclear" && c.name != "rank";
    CHECK((separable != nullptr) == (by_nature && rho_of(c) == kInfinity));
    CHECK(query<State>(*component) != nullptr);
    if (separable) check_conformance(c, shape, {"separable"});
  }
}
