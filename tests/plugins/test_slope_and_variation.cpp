// SPDX-License-Identifier: BSD-3-Clause
// Penalties that sort their entries or compare neighbours: proximal steps against their conditions of
// optimality and against enumeration.
#include "convex_cases.hpp"

namespace claros::test::sorted_and_neighbours {

namespace {

using Values = std::vector<double>;

double variation(const Values& x) {
  double sum = 0.0;
  for (std::size_t k = 1; k < x.size(); ++k) sum += std::abs(x[k] - x[k - 1]);
  return sum;
}

/// The dual of the step: u_k = sum_{j <= k} (v_j - x_j) lies within [-t, t], is t where x falls behind k and
/// -t where it rises, and 0 at the end.
void check_variation_step(const Values& v, const Values& x, double t, double slack) {
  double u = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    u += v[k] - x[k];
    CHECK(std::abs(u) <= t + slack);
    if (k + 1 == v.size()) CHECK(std::abs(u) <= slack);
    if (k + 1 < v.size() && x[k + 1] > x[k] + slack) CHECK(u == doctest::Approx(-t).epsilon(1e-9));
    if (k + 1 < v.size() && x[k + 1] < x[k] - slack) CHECK(u == doctest::Approx(t).epsilon(1e-9));
  }
}

}  // namespace

TEST_CASE(
    "tv: the step meets the conditions of its dual, on lines of any length, with ties, ramps and steps of "
    "any size") {
  Engine engine(71);
  for (const Index n : {1, 2, 3, 10, 257})
    for (const double t : {0.0, 0.01, 0.7, 5.0, 1e4})
      for (int kind = 0; kind < 4; ++kind) {
        Values v = testing::normals(engine, n);
        if (kind == 1)
          for (double& value : v) value = std::round(value);
        if (kind == 2)
          for (std::size_t k = 0; k < v.size(); ++k)
            v[k] = static_cast<double>(k) * (k % 50 < 25 ? 0.1 : -0.1);
        if (kind == 3) std::sort(v.begin(), v.end());
        const auto h = penalty("tv", {"lambda=1"}).make();
        const Values x = prox(*query<ProximalOracle>(*h), Shape::vector(n), v, t);
        if (t > 0.0) check_variation_step(v, x, t, 1e-11 * (1.0 + t + static_cast<double>(n)));
        if (t == 0.0) CHECK(x == v);
        CHECK(query<ProximalOracle>(*h)->value(Element::dense(Shape::vector(n), v)) ==
              doctest::Approx(variation(v)));
      }
}

/// Points whose running sums touch the tube of the dual in many places at once, up to rounding: answers moved
/// by t and -t, sums on a grid of t.
TEST_CASE("tv: where the dual touches its bounds everywhere, rounding makes no other answer") {
  Engine engine(74);
  const Values first{0, 0.4, 0.1, 0.1, 0.4, 0.4, 0.1, 0.3, 0, 0.2};
  const auto h = penalty("tv", {"lambda=1"}).make();
  check_variation_step(first, prox(*query<ProximalOracle>(*h), Shape::vector(10), first, 0.2), 0.2, 1e-12);
  for (int trial = 0; trial < 20000; ++trial) {
    const Index n = 2 + static_cast<Index>(engine() % 10);
    const double t = 0.075 * static_cast<double>(1 + engine() % 3);
    Values v(static_cast<std::size_t>(n));
    for (double& value : v) value = t * (static_cast<double>(engine() % 7) - 3.0) / 2.0;
    v = prox(*query<ProximalOracle>(*h), Shape::vector(n), v, t);
    for (double& value : v) value += engine() % 3 == 0 ? t : engine() % 2 ? -t : 0.0;
    check_variation_step(v, prox(*query<ProximalOracle>(*h), Shape::vector(n), v, t), t, 1e-12);
  }
}

TEST_CASE("tv and fused: columns and rows of a matrix, and thresholds after differences") {
  Engine engine(72);
  const Shape shape = Shape::matrix(4, 3);
  const Values v = testing::normals(engine, 12);
  const auto columns = penalty("tv", {"lambda=0.6"}).make(),
             rows = penalty("tv", {"lambda=0.6", "along=rows"}).make();
  const Values by_columns = prox(*query<ProximalOracle>(*columns), shape, v, 0.5),
               by_rows = prox(*query<ProximalOracle>(*rows), shape, v, 0.5);
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(prox(*query<ProximalOracle>(*columns), Shape::vector(4),
               Values(v.begin() + static_cast<std::ptrdiff_t>(4 * j),
                      v.begin() + static_cast<std::ptrdiff_t>(4 * j + 4)),
               0.5) == Values(by_columns.begin() + static_cast<std::ptrdiff_t>(4 * j),
                              by_columns.begin() + static_cast<std::ptrdiff_t>(4 * j + 4)));
  for (std::size_t i = 0; i < 4; ++i) {
    const Values line{v[i], v[4 + i], v[8 + i]};
    CHECK(prox(*query<ProximalOracle>(*columns), Shape::vector(3), line, 0.5) ==
          Values{by_rows[i], by_rows[4 + i], by_rows[8 + i]});
  }
  const auto fused = penalty("fused", {"lambda=0.8", "ratio=0.25"}).make(),
             parts = penalty("tv", {"lambda=0.6"}).make();
  Values expected = prox(*query<ProximalOracle>(*parts), shape, v, 0.5);
  for (double& value : expected) value = std::copysign(std::max(std::abs(value) - 0.1, 0.0), value);
  const Values x = prox(*query<ProximalOracle>(*fused), shape, v, 0.5);
  for (std::size_t j = 0; j < 12; ++j) CHECK(x[j] == doctest::Approx(expected[j]).epsilon(1e-12));
}

TEST_CASE(
    "slope: the step is the best of all orders, equal weights are l1, and lambda_max is where 0 begins") {
  Engine engine(73);
  const Values w{1.0, 0.7, 0.7, 0.1};
  const Case slope = penalty("slope", {"lambda=0.8", "weights=1 0.7 0.7 0.1"});
  const auto h = slope.make();
  const Shape shape = Shape::vector(4);
  const auto objective = [&](const Values& x, const Values& v, double step) {
    Values sorted = x;
    for (double& value : sorted) value = std::abs(value);
    std::sort(sorted.rbegin(), sorted.rend());
    return step * 0.8 * dot(w, sorted) + 0.5 * squared_distance(x, v);
  };
  for (int trial = 0; trial < 30; ++trial) {
    Values v = testing::normals(engine, 4);
    if (trial % 3 == 0) v[1] = -v[2];
    const Values x = prox(*query<ProximalOracle>(*h), shape, v, 0.6);
    const double best = objective(x, v, 0.6);
    for (int other = 0; other < 300; ++other)
      CHECK(best <=
            objective(combined(1.0, x, std::pow(10.0, -(other % 6)), testing::normals(engine, 4)), v, 0.6) +
                1e-14);
    const auto l1 = penalty("l1", {"lambda=0.5"}).make(),
               even = penalty("slope", {"lambda=0.25", "weights=2 2 2 2"}).make();
    const Values a = prox(*query<ProximalOracle>(*l1), shape, v, 0.6),
                 b = prox(*query<ProximalOracle>(*even), shape, v, 0.6);
    for (std::size_t j = 0; j < 4; ++j) CHECK(a[j] == doctest::Approx(b[j]).epsilon(1e-12));
    const double most = query<LambdaMax>(*h)->lambda_max(Element::dense(shape, v));
    for (const double factor : {0.999, 1.001}) {
      const auto at =
          penalty("slope", {"lambda=" + print_real(most * factor), "weights=1 0.7 0.7 0.1"}).make();
      const Values z = prox(*query<ProximalOracle>(*at), shape, v, 1.0);
      CHECK((dot(z, z) == 0.0) == (factor > 1.0));
    }
  }
  // Phi^-1 of 0.975 and 0.95.
  const auto rate = penalty("slope", {"lambda=1", "q=0.1"}).make();
  CHECK(query<ProximalOracle>(*rate)->value(Element::dense(Shape::vector(2), {1.0, -2.0})) ==
        doctest::Approx(2.0 + 1.6448536269514722 / 1.9599639845400545).epsilon(1e-12));
  const auto refused = [](const std::string& weights) {
    return complaint([&] { penalty("slope", {"lambda=1", "weights=" + weights}).make(); }, ErrorKind::usage);
  };
  check_mentions(refused("1 2"), {"weight 2", "not be convex"});
  check_mentions(refused("0 0"), {"weight 1", "above 0"});
  Element x;
  check_mentions(complaint([&] { query<ProximalOracle>(*h)->apply(Element(Shape::vector(3)), 1.0, x, {}); },
                           ErrorKind::usage),
                 {"4 weights", "3 entries"});
}

TEST_CASE(
    "slope: with a bound on the sum the step is the projection where it binds, and conjugates meet the "
    "definition") {
  const Shape shape = Shape::vector(4);
  for (const char* rho : {"rho=0.3", "rho=inf"})
    check_conformance(penalty("slope", {"lambda=0.8", "weights=1 0.7 0.7 0.1", rho}), shape,
                      {"prox-minimal", "prox-nonexpansive", "conjugate"});
}

}  // namespace claros::test::sorted_and_neighbours
