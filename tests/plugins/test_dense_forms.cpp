// SPDX-License-Identifier: BSD-3-Clause
// Penalties and sets on elements of every form, in place, shared with others, and on numbers at the ends of
// the range.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

namespace {

std::vector<Case> with_proximal_oracle(const Shape& shape) {
  const std::vector<Case> plain =
      convex_penalties(shape) + weakly_convex_penalties() + unconvexifiable_penalties();
  return plain + bounded(convex_penalties(shape) + weakly_convex_penalties()) + all_sets(shape);
}

}  // namespace

TEST_CASE("dense forms: every form of the point gives the same answer, and none is changed") {
  Engine engine(401);
  for (const Shape& shape : case_shapes()) {
    const MapPtr map =
        std::make_shared<SamplingMap>(testing::random_pattern(engine, shape.rows, shape.cols, 0.7));
    for (const Case& c : with_proximal_oracle(shape)) {
      CAPTURE(c.text());
      const auto component = c.make();
      auto& h = *query<ProximalOracle>(*component);
      for (int form = 0; form <= testing::kForms; ++form) {
        Element v = testing::random_element(engine, form % testing::kForms, map);
        if (form == testing::kForms) v.add(0.5, testing::random_element(engine, 1, map)), v.scale(-1.7);
        const std::vector<double> before = v.to_dense();
        Element x = testing::random_element(engine, static_cast<int>(engine() % testing::kForms), map);
        h.apply(v, 0.2, x, {});
        const std::vector<double> plain = prox(h, shape, before, 0.2);
        CHECK(v.to_dense() == before);
        CHECK(std::sqrt(squared_distance(x.to_dense(), plain)) <= 1e-12 * (1 + std::sqrt(dot(plain, plain))));
      }
    }
  }
}

TEST_CASE("dense forms: in place, into another shape, and into an array that others share") {
  Engine engine(402);
  for (const Shape& shape : case_shapes())
    for (const Case& c : with_proximal_oracle(shape)) {
      CAPTURE(c.text());
      const auto component = c.make();
      auto& h = *query<ProximalOracle>(*component);
      const std::vector<double> v = random_point(engine, shape, 2.0);
      const std::vector<double> expected = prox(h, shape, v, 0.2);
      Element in_place = Element::dense(shape, v), snapshot(in_place);
      h.apply(in_place, 0.2, in_place, {});
      CHECK(in_place.to_dense() == expected);
      CHECK(snapshot.to_dense() == v);
      Element other = Element::dense(Shape::vector(2), {1.0, 2.0});
      h.apply(snapshot, 0.2, other, {});
      CHECK(other.to_dense() == expected);
      Element copy(snapshot);
      h.apply(snapshot, 0.2, copy, {});
      CHECK(copy.to_dense() == expected);
      CHECK(snapshot.to_dense() == v);
      if (auto* oracle = query<LinearOracle>(*component)) {
        Element vertex;
        oracle->minimize(snapshot, {}, vertex);
        oracle->minimize(copy = snapshot, {}, copy);
        CHECK(same_bits(copy, vertex));
      }
    }
}

TEST_CASE("dense forms: zero, huge, tiny and tied points, and -0") {
  for (const Shape& shape : case_shapes())
    for (const Case& c : with_proximal_oracle(shape)) {
      if (c.kind == Kind::set) continue;  // test_sets.cpp
      CAPTURE(c.text());
      const auto component = c.make();
      auto& h = *query<ProximalOracle>(*component);
      const auto n = static_cast<std::size_t>(shape.size());
      for (const double value : {0.0, -0.0, 1e300, -1e300, 1e-300, -1e-300, 1.0}) {
        CAPTURE(value);
        const std::vector<double> x = prox(h, shape, std::vector<double>(n, value), 0.2);
        for (const double entry : x) {
          CHECK(std::isfinite(entry));
          if (c.name != "box") CHECK(std::abs(entry) <= std::abs(value) * (1.0 + 1e-12));
        }
        if (std::abs(value) <= 1.0) CHECK(h.value(Element::dense(shape, x)) < kInfinity);
      }
    }
}

TEST_CASE("dense forms: NaN comes out as NaN or as an error") {
  for (const Shape& shape : case_shapes())
    for (const Case& c : with_proximal_oracle(shape)) {
      CAPTURE(c.text());
      const auto component = c.make();
      auto& h = *query<ProximalOracle>(*component);
      std::vector<double> values(static_cast<std::size_t>(shape.size()), 0.5);
      values[values.size() / 2] = kNan;
      Element x;
      try {
        h.apply(Element::dense(shape, values), 0.2, x, {});
        CHECK_FALSE(all_finite(x));
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::numerical);
      }
      const auto finite = [](const auto& number) {
        try {
          return number() < kInfinity;
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::numerical);
          return false;
        }
      };
      const Element point = Element::dense(shape, values);
      CHECK_FALSE(finite([&] { return h.value(point); }));
      if (auto* conjugate = query<Conjugate>(*component))
        CHECK_FALSE(finite([&] { return conjugate->conjugate(point); }));
    }
}

TEST_CASE("dense forms: parameters out of range are refused") {
  const auto refused = [](const Case& c, std::initializer_list<const char*> words) {
    CAPTURE(c.text());
    check_mentions(complaint([&] { c.make(); }, ErrorKind::usage), words);
  };
  for (const char* name : {"l1", "elastic-net", "ridge", "nuclear", "group", "sparse-group"})
    refused(penalty(name, {"lambda=-1", "rho=1"}), {"lambda", "-1", ">= 0"});
  for (const char* name : {"scad", "mcp"})
    for (const char* lambda : {"lambda=0", "lambda=-0.5"})
      refused(penalty(name, {lambda}), {"lambda", "> 0"});
  for (const char* name : {"l1", "elastic-net", "ridge", "nuclear", "group", "sparse-group", "scad", "mcp"})
    for (const char* rho : {"rho=0", "rho=-2"}) refused(penalty(name, {rho}), {"rho", "> 0"});
  for (const char* zeta : {"zeta=2", "zeta=1", "zeta=inf"}) refused(penalty("scad", {zeta}), {"zeta", "> 2"});
  for (const char* b : {"b=0", "b=-3"}) refused(penalty("mcp", {b}), {"b", "> 0"});
  for (const char* ratio : {"ratio=-0.1", "ratio=1.1"})
    refused(penalty("elastic-net", {ratio}), {"ratio", "[0, 1]"});
  refused(penalty("box", {"lower=3", "upper=-1"}), {"penalty.lower", "3", "-1"});
  refused(penalty("box", {"lower=inf"}), {"penalty.lower", "inf"});
}
