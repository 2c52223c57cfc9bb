// SPDX-License-Identifier: BSD-3-Clause
// Diameters, starts and support functions of sets with options away from the defaults, by hand; and one set
// used on variables of several shapes in turn.
#include "convex_cases.hpp"

namespace claros::test::set_geometry {

namespace {

using Numbers = std::vector<double>;

/// A set, its diameter and where it starts, by hand. `attained`: by two of its corners.
struct Geometry {
  Words words;  ///< use=NAME, and its options
  Shape shape;
  double diameter;
  Numbers start;
  bool attained = true;
};

std::shared_ptr<Component> made(const Words& words) {
  return set(words.front().substr(4), Words(words.begin() + 1, words.end())).make();
}

Numbers filled(std::size_t size, double value) { return Numbers(size, value); }
Numbers diagonal(std::size_t n, double value) {
  Numbers x(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) x[i * (n + 1)] = value;
  return x;
}

std::vector<Geometry> geometries() {
  const auto vector = [](Index n) { return Shape::vector(n); };
  const auto matrix = [](Index m, Index n) { return Shape::matrix(m, n); };
  const double one_entry = (-0.3 + std::sqrt(0.09 + 4.0 * 0.35 * 2.0)) / 0.7;  // 0.3 b + 0.35 b^2 = 2
  return {
      {{"use=box", "lower=-3", "upper=-1"}, vector(4), 4.0, filled(4, -1.0)},
      {{"use=box", "lower=0.5", "upper=2"}, matrix(2, 3), 1.5 * std::sqrt(6.0), filled(6, 0.5)},
      {{"use=box", "lowers=-1 0 2", "uppers=1 0 5"}, vector(3), std::sqrt(13.0), {0.0, 0.0, 2.0}},
      {{"use=box", "lower=-2", "uppers=1 -1 0"}, vector(3), std::sqrt(14.0), {0.0, -1.0, 0.0}},
      {{"use=simplex", "radius=3"}, vector(5), 3.0 * std::sqrt(2.0), filled(5, 0.6)},
      {{"use=simplex", "radius=3", "upper=1.2"}, vector(5), 2.4, filled(5, 0.6)},
      {{"use=simplex", "radius=1", "upper=0.4"}, vector(4), std::sqrt(0.4), filled(4, 0.25)},
      {{"use=simplex", "radius=1.1", "upper=0.1"}, vector(11), 0.0, filled(11, 0.1)},
      {{"use=l1-ball", "radius=2"}, vector(5), 4.0, filled(5, 0.0)},
      {{"use=l2-ball", "radius=2"}, matrix(2, 2), 4.0, filled(4, 0.0)},
      {{"use=group-ball", "radius=3", "groups=0; 1-3; 4-5", "weights=sqrt"}, vector(6), 6.0, filled(6, 0.0)},
      {{"use=group-ball", "radius=3", "groups=0; 1-3; 4-5", "weights=none", "norm=linf"},
       vector(6),
       6.0 * std::sqrt(3.0),
       filled(6, 0.0)},
      {{"use=group-ball", "radius=3", "groups=0; 1-3; 4-5", "weights=sqrt", "norm=linf"},
       vector(6),
       6.0,
       filled(6, 0.0)},
      {{"use=elastic-net-ball", "radius=2", "ratio=0.3"}, vector(4), 2.0 * one_entry, filled(4, 0.0)},
      {{"use=ellipsoid", "radius=2", "axes=1 3 0.5", "center=1 -1 0"}, vector(3), 12.0, {1.0, -1.0, 0.0}},
      {{"use=lp-ball", "p=3", "radius=2", "weights=1 2 0.5"},
       vector(3),
       4.0 * std::pow(1.0 + std::pow(2.0, -6.0) + std::pow(2.0, 6.0), 1.0 / 6.0),
       filled(3, 0.0),
       false},
      {{"use=lp-ball", "p=inf", "radius=2", "weights=1 2 0.5"},
       vector(3),
       4.0 * std::sqrt(1.0 + 0.25 + 4.0),
       filled(3, 0.0)},
      {{"use=lp-ball", "p=1.5", "radius=2", "weights=1 2 0.5"}, vector(3), 8.0, filled(3, 0.0)},
      {{"use=lp-ball", "p=1", "radius=2", "weights=1 2 0.5"}, vector(3), 8.0, filled(3, 0.0)},
      {{"use=lp-ball", "p=4", "radius=2"}, vector(5), 4.0 * std::pow(5.0, 0.25), filled(5, 0.0), false},
      {{"use=ordered-weight", "radius=2", "weights=3 1 1 0.5"}, vector(4), 4.0 * 2.0 / 5.5, filled(4, 0.0)},
      {{"use=ordered-weight", "radius=2", "weights=3 0 0 0"}, vector(4), 4.0 * 2.0 / 3.0, filled(4, 0.0)},
      {{"use=k-sparse", "radius=2", "k=3", "norm=linf"}, vector(5), 4.0 * std::sqrt(3.0), filled(5, 0.0)},
      {{"use=k-sparse", "radius=2", "k=9", "norm=linf"}, vector(4), 8.0, filled(4, 0.0)},
      {{"use=k-sparse", "radius=2", "k=9"}, vector(4), 4.0, filled(4, 0.0)},
      {{"use=fantope", "k=2"}, matrix(5, 5), 2.0, diagonal(5, 0.4)},
      {{"use=fantope", "k=4"}, matrix(5, 5), std::sqrt(2.0), diagonal(5, 0.8)},
      {{"use=fantope", "k=3"}, matrix(3, 3), 0.0, diagonal(3, 1.0)},
      {{"use=spectrahedron", "radius=3"}, matrix(4, 4), 3.0 * std::sqrt(2.0), filled(16, 0.75)},
      {{"use=psd-trace", "radius=3"}, matrix(4, 4), 3.0 * std::sqrt(2.0), filled(16, 0.75)},
      {{"use=nuclear-ball", "radius=3"}, matrix(2, 4), 6.0, filled(8, 0.0)},
      {{"use=birkhoff"}, matrix(4, 4), std::sqrt(8.0), filled(16, 0.25)},
      {{"use=permutahedron", "values=5 -1 2 2"}, vector(4), std::sqrt(72.0), filled(4, 2.0)},
      {{"use=permutahedron"}, vector(4), std::sqrt(20.0), filled(4, 2.5)},
      {{"use=matroid-base", "rank=2"}, vector(5), 2.0, filled(5, 0.4)},
      {{"use=matroid-base", "rank=4"}, vector(5), std::sqrt(2.0), filled(5, 0.8)},
      {{"use=matroid-base", "rank=2", "corners=independent"}, vector(5), 2.0, filled(5, 0.4)},
      {{"use=matroid-base", "rank=4", "corners=independent"}, vector(5), std::sqrt(5.0), filled(5, 0.8)},
      {{"use=transport", "rows=2 2", "columns=1 3"}, matrix(2, 2), 4.0, {0.5, 0.5, 1.5, 1.5}, false},
      {{"use=matroid-base", "matroid=partition", "groups=0 3; 1 2 4", "rank=1 2"},
       vector(5),
       2.0,
       {0.5, 2.0 / 3.0, 2.0 / 3.0, 0.5, 2.0 / 3.0}},
      {{"use=matroid-base", "matroid=partition", "groups=3", "rank=2"}, vector(6), 2.0, filled(6, 2.0 / 3.0)},
      {{"use=matroid-base", "matroid=graphic", "graph=1 2; 2 3; 1 3; 3 4"}, vector(4), std::sqrt(2.0), {}},
      {{"use=monotone", "lower=-2", "upper=-0.5", "along=rows"},
       matrix(2, 3),
       1.5 * std::sqrt(6.0),
       filled(6, -0.5)},
      {{"use=monotone", "lower=1", "upper=4", "order=falling"},
       vector(5),
       3.0 * std::sqrt(5.0),
       filled(5, 1.0)},
      {{"use=moved", "factor=-2", "shift=1 0 3", "inner.use=simplex", "inner.radius=1"},
       vector(3),
       2.0 * std::sqrt(2.0),
       {1.0 / 3.0, -2.0 / 3.0, 7.0 / 3.0}},
      {{"use=moved", "factor=3", "shift=5", "inner.use=l1-ball", "inner.radius=0.5"},
       matrix(2, 2),
       3.0,
       filled(4, 5.0)},
      {{"use=product", "sizes=2 3", "blocks.1.use=box", "blocks.1.lower=1", "blocks.1.upper=2",
        "blocks.2.use=simplex", "blocks.2.radius=2"},
       vector(5),
       std::sqrt(10.0),
       {1.0, 1.0, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}},
      {{"use=vertices", "vertices=0 0; 3 0; 0 4"}, vector(2), 5.0, {1.0, 4.0 / 3.0}},
      {{"use=flow", "graph=1 2; 1 3; 2 4; 3 4"}, vector(4), 2.0, {}},
      {{"use=flow", "graph=1 2; 2 3; 3 4; 1 4"}, vector(4), 2.0, {}},
      {{"use=cached", "inner.use=simplex", "inner.radius=3"},
       vector(5),
       3.0 * std::sqrt(2.0),
       filled(5, 0.6)}};
}

std::string text(const Words& words) {
  std::string all;
  for (const std::string& word : words) all += word + " ";
  return all;
}

Numbers normal_numbers(Engine& engine, Index size) {
  std::normal_distribution<double> normal;
  Numbers v(static_cast<std::size_t>(size));
  for (double& value : v) value = normal(engine);
  return v;
}

}  // namespace

TEST_CASE("set geometry: diameters by hand, which no two corners exceed and two attain; starts by hand") {
  Engine engine(7);
  for (const Geometry& g : geometries()) {
    CAPTURE(text(g.words));
    const auto set = made(g.words);
    auto& oracle = *query<LinearOracle>(*set);
    CHECK(oracle.diameter(g.shape) == doctest::Approx(g.diameter).epsilon(1e-12));
    double farthest = 0.0;
    std::vector<Numbers> corners;
    const auto corner = [&](const Numbers& c) {
      Element vertex;
      const Element direction = Element::dense(g.shape, c);
      const OracleInfo info = oracle.minimize(direction, {1e-10, false}, vertex);
      CHECK(info.value == doctest::Approx(inner(direction, vertex)).epsilon(1e-8).scale(1.0));
      corners.push_back(vertex.to_dense());
    };
    for (int k = 0; k < 60; ++k) {
      Numbers c = normal_numbers(engine, g.shape.size());
      const auto axis = static_cast<std::size_t>(k / 2);
      if (axis < c.size()) c.assign(c.size(), 0.0), c[axis] = k % 2 ? 1.0 : -1.0;
      corner(c);
      for (double& value : c) value = -value;
      corner(c);
    }
    for (const Numbers& a : corners)
      for (const Numbers& b : corners) farthest = std::max(farthest, std::sqrt(squared_distance(a, b)));
    CHECK(farthest <= g.diameter * (1 + 1e-9) + 1e-9);
    const bool of_matrices = g.words[0] == "use=fantope" || g.words[0] == "use=spectrahedron" ||
                             g.words[0] == "use=psd-trace" || g.words[0] == "use=birkhoff";
    if (g.attained && !of_matrices) CHECK(farthest >= g.diameter * (1 - 1e-6));
    auto* start = query<Start>(*set);
    REQUIRE(start);
    const Element at = start->start_point(g.shape);
    CHECK(at.shape() == g.shape);
    CHECK(query<Membership>(*set)->violation(at) <= 1e-12);
    if (!g.start.empty()) CHECK(std::sqrt(squared_distance(at.to_dense(), g.start)) <= 1e-12);
  }
}

TEST_CASE("set geometry: a support function is the largest product with a corner, and with the start") {
  Engine engine(8);
  for (const Geometry& g : geometries()) {
    CAPTURE(text(g.words));
    const auto set = made(g.words);
    auto* support = query<Conjugate>(*set);
    if (!support) continue;
    for (int k = 0; k < 5; ++k) {
      const Element s = Element::dense(g.shape, normal_numbers(engine, g.shape.size()));
      Element minus = s, vertex;
      minus.scale(-1.0);
      (void)query<LinearOracle>(*set)->minimize(minus, {1e-10, false}, vertex);
      CHECK(support->conjugate(s) == doctest::Approx(inner(s, vertex)).epsilon(1e-9).scale(1.0));
      CHECK(support->into_domain(s) == 1.0);
    }
  }
}

TEST_CASE("set geometry: the diameter of many points is a bound, and the nearest of them is found") {
  const TestFolder folder;
  std::string rows;
  for (int k = 0; k < 2500; ++k)
    rows += print_real(3.0 + std::cos(k * 0.0025132741228718345)) + " " +
            print_real(std::sin(k * 0.0025132741228718345)) + "\n";
  const auto set = made({"use=vertices", "vertices=" + folder.put("points", rows).string()});
  const double diameter = query<LinearOracle>(*set)->diameter(Shape::vector(2));
  CHECK(diameter >= 2.0 - 1e-5);
  CHECK(diameter <= 2.0 + 1e-5);
  const Element start = query<Start>(*set)->start_point(Shape::vector(2));
  CHECK(start.to_dense()[0] == doctest::Approx(3.0).epsilon(1e-9));
  Element vertex;
  (void)query<LinearOracle>(*set)->minimize(Element::dense(Shape::vector(2), {0.0, 1.0}), {}, vertex);
  CHECK(vertex.to_dense()[1] == doctest::Approx(-1.0).epsilon(1e-5));
}

TEST_CASE("set geometry: a set that has seen another shape answers as a new one") {
  Engine engine(9);
  const std::vector<Shape> shapes{Shape::matrix(4, 4), Shape::matrix(2, 2), Shape::matrix(3, 3),
                                  Shape::matrix(4, 4)};
  for (const Words& words :
       std::vector<Words>{{"use=box", "lower=-1", "upper=2"},
                          {"use=l1-ball", "radius=2"},
                          {"use=simplex", "radius=2"},
                          {"use=group-ball", "radius=2", "groups=rows", "weights=sqrt"},
                          {"use=group-ball", "radius=2", "groups=columns", "norm=linf"},
                          {"use=elastic-net-ball", "radius=2"},
                          {"use=lp-ball", "radius=2", "p=3"},
                          {"use=ordered-weight", "radius=2"},
                          {"use=k-sparse", "radius=2", "k=3", "norm=linf"},
                          {"use=k-sparse", "radius=2", "k=6"},
                          {"use=fantope", "k=2"},
                          {"use=spectrahedron", "radius=2"},
                          {"use=psd-trace", "radius=2"},
                          {"use=nuclear-ball", "radius=2"},
                          {"use=birkhoff"},
                          {"use=permutahedron"},
                          {"use=matroid-base", "rank=3"},
                          {"use=matroid-base", "matroid=partition", "groups=rows", "rank=1"},
                          {"use=monotone", "along=rows"},
                          {"use=monotone", "order=falling"},
                          {"use=moved", "factor=2", "shift=1", "inner.use=permutahedron"}}) {
    CAPTURE(text(words));
    const auto used = made(words);
    for (const Shape& shape : shapes) {
      const auto fresh = made(words);
      CHECK(query<LinearOracle>(*used)->diameter(shape) == query<LinearOracle>(*fresh)->diameter(shape));
      CHECK(same_bits(query<Start>(*used)->start_point(shape), query<Start>(*fresh)->start_point(shape)));
      const Element c = Element::dense(shape, normal_numbers(engine, shape.size()));
      Element a, b;
      const double value = query<LinearOracle>(*used)->minimize(c, {1e-10, false}, a).value;
      CHECK(value == doctest::Approx(query<LinearOracle>(*fresh)->minimize(c, {1e-10, false}, b).value));
      CHECK(std::sqrt(squared_distance(a.to_dense(), b.to_dense())) <= 1e-6);
      CHECK(query<Membership>(*used)->violation(c) == query<Membership>(*fresh)->violation(c));
      (void)query<ProximalOracle>(*used)->apply(c, 1.0, a, {});
      (void)query<ProximalOracle>(*fresh)->apply(c, 1.0, b, {});
      CHECK(std::sqrt(squared_distance(a.to_dense(), b.to_dense())) <= 1e-9);
    }
  }
}

}  // namespace claros::test::set_geometry
