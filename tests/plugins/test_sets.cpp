// SPDX-License-Identifier: BSD-3-Clause
// Sets with projections, by what defines them.
#include "convex_cases.hpp"

using namespace claros;
using namespace claros::test;

namespace {

struct MadeSet {
  std::shared_ptr<Component> component;
  LinearOracle& linear;
  ProximalOracle& projection;
  Membership& membership;
  Conjugate& support;

  explicit MadeSet(const Case& c)
      : component(c.make()),
        linear(*query<LinearOracle>(*component)),
        projection(*query<ProximalOracle>(*component)),
        membership(*query<Membership>(*component)),
        support(*query<Conjugate>(*component)) {
    REQUIRE(query<LinearOracle>(*component));
    REQUIRE(query<ProximalOracle>(*component));
    REQUIRE(query<Membership>(*component));
    REQUIRE(query<Conjugate>(*component));
    REQUIRE(query<Start>(*component));
    REQUIRE(query<State>(*component));
  }
};

double option(const Case& c, const std::string& name) {
  for (const std::string& word : c.options)
    if (word.starts_with(name + "=")) return parse_real(word.substr(name.size() + 1));
  return 0.0;
}
/// A length of the order of the set's size.
double size_of(const Case& c) { return c.name == "box" ? 1.0 : option(c, "radius"); }

/// Bounds for each entry: what differs between entries is in test_entry_bounds.
bool varies(const Case& c) { return c.text().find("lowers") != std::string::npos; }

/// Is x in the set, by its definition written down once more?
double excess_by_definition(const Case& c, const std::vector<double>& x) {
  double sum = 0.0, magnitudes = 0.0, low = kInfinity, high = -kInfinity;
  for (const double value : x) {
    sum += value, magnitudes += std::abs(value);
    low = std::min(low, value), high = std::max(high, value);
  }
  const double r = option(c, "radius");
  if (c.name == "l1-ball") return magnitudes / r - 1.0;
  if (c.name == "l2-ball") return std::sqrt(dot(x, x)) / r - 1.0;
  if (c.name == "simplex") {
    const double upper = option(c, "upper") > 0.0 ? option(c, "upper") : r;
    return std::max({std::abs(sum / r - 1.0), -low / r, (high - upper) / r});
  }
  if (c.name == "unit-simplex") return std::max(sum / r - 1.0, -low / r);
  REQUIRE(c.name == "box");
  return std::max(option(c, "lower") - low, high - option(c, "upper")) /
         std::max(std::abs(option(c, "lower")), std::abs(option(c, "upper")));
}

template <class Action>
void for_all_sets(const Action& action) {
  std::vector<Case> below;
  for (const char* radius : {"radius=0.01", "radius=1", "radius=3000"})
    below.push_back(set("unit-simplex", {radius}));
  for (const Shape& shape : case_shapes()) {
    std::vector<Case> capped;
    for (const double radius : {0.01, 1.0, 3000.0})
      for (const double share : {1.0, 1.3, 3.0})
        capped.push_back(
            set("simplex", {"radius=" + print_real(radius),
                            "upper=" + print_real(share * radius / static_cast<double>(shape.size()))}));
    for (const Case& c : all_sets(shape) + below + capped) {
      CAPTURE(c.text());
      CAPTURE(shape.text());
      action(c, shape);
    }
  }
}

}  // namespace

TEST_CASE("sets: oracle, projection, membership and start, option by option") {
  for_all_sets([&](const Case& c, const Shape& shape) {
    check_conformance(
        c, shape,
        {"oracle-optimal", "oracle-value", "oracle-member", "oracle-forms", "support", "projection-optimal",
         "projection-member", "projection-nonexpansive", "membership", "start"});
  });
}

TEST_CASE("sets: the linear oracle is exact, for directions of any length") {
  Engine engine(302);
  for_all_sets([&](const Case& c, const Shape& shape) {
    MadeSet set(c);
    for (const double scale : {1e-3, 1.0, 1e6}) {
      const Element direction = Element::dense(shape, random_point(engine, shape, scale));
      Element vertex;
      const OracleInfo info = set.linear.minimize(direction, {}, vertex);
      CHECK(info.confirmed);
      CHECK(info.lower_bound == info.value);
      CHECK(std::abs(info.value - inner(direction, vertex)) <= 1e-10 * scale * size_of(c));
      CHECK(set.membership.violation(vertex) <= 1e-12);
    }
  });
}

TEST_CASE("sets: no two points are further apart than the diameter, which is attained") {
  Engine engine(303);
  for_all_sets([&](const Case& c, const Shape& shape) {
    MadeSet set(c);
    double farthest = 0.0;
    std::vector<Element> corners;
    const auto side = static_cast<std::size_t>(shape.size());
    for (std::size_t k = 0; k < 2 * side + 60; ++k) {
      std::vector<double> direction = random_point(engine, shape, 1.0);
      // Along each axis, so that the corner of each entry or group is found.
      if (k < 2 * side) direction.assign(side, 0.0), direction[k / 2] = k % 2 ? 1.0 : -1.0;
      Element vertex, opposite, minus = Element::dense(shape, direction);
      set.linear.minimize(minus, {}, vertex);
      minus.scale(-1.0);
      set.linear.minimize(minus, {}, opposite);
      corners.push_back(vertex), corners.push_back(opposite);
    }
    for (const Element& a : corners)
      for (const Element& b : corners)
        farthest = std::max(farthest, std::sqrt(squared_distance(a.to_dense(), b.to_dense())));
    const double diameter = set.linear.diameter(shape);
    CHECK(MadeSet(c).linear.diameter(shape) == diameter);  // before any other call
    CHECK(farthest <= diameter * (1 + 1e-12));
    if (c.name != "simplex" || side > 1) CHECK(farthest >= diameter * (1 - 1e-12));
  });
}

TEST_CASE("sets: membership is relative to the size, as its definition says") {
  Engine engine(304);
  for_all_sets([&](const Case& c, const Shape& shape) {
    MadeSet set(c);
    const double size = size_of(c);
    for (const double scale : {0.1, 1.0, 3.0}) {
      const std::vector<double> v = random_point(engine, shape, scale * size);
      const Element x = Element::dense(shape, v);
      const double violation = set.membership.violation(x);
      if (c.name != "group-ball" && !varies(c))
        CHECK(violation == doctest::Approx(std::max(0.0, excess_by_definition(c, v))).epsilon(1e-10));
      CHECK((set.projection.value(x) == 0.0) == (violation <= 1e-10));
      CHECK((set.projection.value(x) == kInfinity) == (violation > 1e-10));
    }
    // A corner of a ball, grown by a tenth.
    Element vertex;
    set.linear.minimize(Element::dense(shape, testing::normals(engine, shape.size())), {}, vertex);
    vertex.scale(1.1);
    if (c.name != "box" && inner(vertex, vertex) > 0.0)
      CHECK(set.membership.violation(vertex) == doctest::Approx(0.1));
    const Element start = query<Start>(*set.component)->start_point(shape);
    CHECK(start.shape() == shape);
    CHECK(set.membership.violation(start) <= 1e-12);
  });
}

TEST_CASE("sets: what is not finite is refused, and never found inside") {
  for_all_sets([&](const Case& c, const Shape& shape) {
    MadeSet set(c);
    for (const double bad : {kNan, kInfinity}) {
      std::vector<double> values(static_cast<std::size_t>(shape.size()), 0.5);
      values.back() = bad;
      const Element x = Element::dense(shape, values);
      Element out;
      check_mentions(complaint([&] { set.linear.minimize(x, {}, out); }, ErrorKind::numerical),
                     {"finite", "check for"});
      check_mentions(complaint([&] { set.projection.apply(x, 1.0, out, {}); }, ErrorKind::numerical),
                     {"finite", "check for"});
      CHECK_FALSE(set.membership.violation(x) <= 1.0);
      CHECK_FALSE(set.projection.value(x) == 0.0);
    }
  });
}

TEST_CASE("sets: projections of huge, tiny and tied points") {
  for_all_sets([&](const Case& c, const Shape& shape) {
    MadeSet set(c);
    const auto n = static_cast<std::size_t>(shape.size());
    for (const double value : {1e300, -1e300, 1e-300, 0.0, -0.0, 1.0}) {
      const std::vector<double> tied = prox(set.projection, shape, std::vector<double>(n, value), 1.0);
      CHECK(set.membership.violation(Element::dense(shape, tied)) <= 1e-12);
      if (c.name != "group-ball" && !varies(c))
        for (const double entry : tied) CHECK(entry == doctest::Approx(tied.front()));
      std::vector<double> lone(n, 0.0);
      lone.back() = value;
      const std::vector<double> x = prox(set.projection, shape, lone, 1.0);
      CHECK(set.membership.violation(Element::dense(shape, x)) <= 1e-12);
      // In a ball the projection of a multiple of a unit vector is one as long as the radius allows.
      if (std::abs(value) == 1e300 && (c.name == "l1-ball" || c.name == "l2-ball"))
        CHECK(x.back() == doctest::Approx(std::copysign(option(c, "radius"), value)));
    }
  });
}

TEST_CASE("sets: a projection onto the l1 ball that drops one entry a pass is still exact") {
  constexpr std::size_t kEntries = 60;
  std::vector<double> v(kEntries);
  for (std::size_t j = 0; j < kEntries; ++j) v[j] = std::pow(2.0, -static_cast<double>(j)) * (j % 2 ? -1 : 1);
  const Shape shape = Shape::vector(kEntries);
  const Case ball = set("l1-ball", {"radius=0.75"});
  MadeSet made(ball);
  const std::vector<double> x = prox(made.projection, shape, v, 1.0);
  // The largest two exceed the threshold 3/8 by 5/8 and 1/8.
  CHECK(x[0] == doctest::Approx(0.625));
  CHECK(x[1] == doctest::Approx(-0.125));
  for (std::size_t j = 2; j < kEntries; ++j) CHECK(x[j] == 0.0);
}

TEST_CASE("sets: impossible options are refused") {
  const auto refusal = [](const Case& c) { return complaint([&] { c.make(); }, ErrorKind::usage); };
  check_mentions(refusal(set("box", {"lower=2", "upper=1"})), {"set.lower", "2", "1"});
  for (const char* name : {"l1-ball", "l2-ball", "simplex", "unit-simplex"})
    for (const char* radius : {"radius=0", "radius=-1", "radius=inf"})
      check_mentions(refusal(set(name, {radius})), {"radius", "> 0"});
  check_mentions(refusal(set("group-ball", {"radius=1"})), {"groups"});
  check_mentions(refusal(set("box", {"upper=inf"})), {"upper"});
}
