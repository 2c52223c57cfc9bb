// SPDX-License-Identifier: BSD-3-Clause
// Directions near the smallest numbers, whose lengths have few digits left, get vertices of the set.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("sets: the vertex for a denormal direction lies in the set and minimises") {
  for (const Shape& shape : case_shapes()) {
    const auto n = static_cast<std::size_t>(shape.size());
    for (const Case& c :
         {set("l2-ball", {"radius=2"}), set("l1-ball", {"radius=1"}),
          set("group-ball", {"radius=1", "groups=columns"}), set("k-sparse", {"radius=2", "k=2"}),
          set("lp-ball", {"radius=2", "p=3"}), set("ordered-weight", {"radius=2"}),
          set("ellipsoid", {"radius=2"}), set("permutahedron", {}), set("monotone", {"lower=-1"}),
          set("nuclear-ball", {"radius=2"}), set("nuclear-ball", {"radius=1", "engine=dense"})})
      for (const double entry : {5e-324, -3e-320, 1e-300}) {
        CAPTURE(c.text());
        CAPTURE(shape.text());
        CAPTURE(entry);
        const auto component = c.make();
        Element tiny, unit;
        auto& oracle = *query<LinearOracle>(*component);
        oracle.minimize(Element::dense(shape, std::vector<double>(n, entry)), {1e-10, true}, tiny);
        oracle.minimize(Element::dense(shape, std::vector<double>(n, std::copysign(1.0, entry))),
                        {1e-10, true}, unit);
        CHECK(query<Membership>(*component)->violation(tiny) <= 1e-9);
        const Element ones = Element::dense(shape, std::vector<double>(n, std::copysign(1.0, entry)));
        CHECK(inner(ones, tiny) == doctest::Approx(inner(ones, unit)).epsilon(1e-8));
      }
  }
}
