// SPDX-License-Identifier: BSD-3-Clause
// The set of monotone vectors: corners against enumeration and a linear program, projections against the
// inequality that defines them and the max-min formula of isotonic regression, faces against their weights.
#include "convex_cases.hpp"

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::monotone {

namespace {

using Numbers = std::vector<double>;

/// The n + 1 corners of the rising set: k times lower, then upper.
std::vector<Numbers> steps(std::size_t n, double lower, double upper) {
  std::vector<Numbers> all;
  for (std::size_t k = 0; k <= n; ++k) {
    all.emplace_back(n, upper);
    std::fill_n(all.back().begin(), k, lower);
  }
  return all;
}

Case bounded_set(double lower, double upper, const Words& more = {}) {
  return set("monotone", Words{"lower=" + print_real(lower), "upper=" + print_real(upper)} + more);
}

Numbers corner(Component& set, const Shape& shape, const Numbers& c) {
  Element x;
  const OracleInfo info = query<LinearOracle>(set)->minimize(Element::dense(shape, c), {}, x);
  CHECK(info.confirmed);
  CHECK(info.value == doctest::Approx(dot(c, x.to_dense())).epsilon(1e-12));
  return x.to_dense();
}

Numbers projected(Component& set, const Shape& shape, const Numbers& v) {
  return prox(*query<ProximalOracle>(set), shape, v, 1.0);
}

/// Normal numbers, or whole ones with ties, in the units of `scale`.
Numbers points(Engine& engine, std::size_t n, bool whole, double scale) {
  Numbers v = testing::normals(engine, static_cast<Index>(n));
  for (double& value : v) value = scale * (whole ? std::round(2.0 * value) : value);
  return v;
}

Numbers reversed(Numbers x) {
  std::reverse(x.begin(), x.end());
  return x;
}

/// x_k = max over i <= k of min over j >= k of the weighted mean of y_i .. y_j, cut to the bounds.
Numbers isotonic(const Numbers& y, const Numbers& w, double lower, double upper) {
  Numbers x(y.size());
  for (std::size_t k = 0; k < y.size(); ++k) {
    double most = -kInfinity;
    for (std::size_t i = 0; i <= k; ++i) {
      double least = kInfinity, sum = 0.0, weight = 0.0;
      for (std::size_t j = i; j < y.size(); ++j) {
        sum += w[j] * y[j], weight += w[j];
        if (j >= k) least = std::min(least, sum / weight);
      }
      most = std::max(most, least);
    }
    x[k] = std::clamp(most, lower, upper);
  }
  return x;
}

}  // namespace

TEST_CASE("monotone: the corner is the best of all steps, in any units and with ties") {
  Engine engine(31);
  for (const std::size_t n : {1, 2, 3, 7, 40})
    for (const auto& [lower, upper] : {std::pair{-0.5, 2.0}, {0.0, 1.0}, {-3.0, -1.0}, {2.0, 2.0}})
      for (const double scale : {1.0, 1e-300, 1e150}) {
        const auto C = bounded_set(lower, upper).make();
        const Numbers c = points(engine, n, n == 7, scale);
        double least = kInfinity;
        for (const Numbers& step : steps(n, lower, upper)) least = std::min(least, dot(c, step));
        const Numbers x = corner(*C, Shape::vector(static_cast<Index>(n)), c);
        CHECK(std::abs(dot(c, x) - least) <= 1e-13 * scale * static_cast<double>(n));
        CHECK(query<Membership>(*C)->violation(Element::dense(Shape::vector(static_cast<Index>(n)), x)) ==
              0.0);
      }
}

TEST_CASE("monotone: a linear program has the same minimum and the same nearest point") {
  Engine engine(32);
  constexpr std::size_t n = 6;
  const Shape shape = Shape::vector(n);
  std::string rows = "-1 0 0 0 0 0 <= -0.25; 0 0 0 0 0 1 <= 2; ";
  for (std::size_t k = 0; k + 1 < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) rows += j == k ? "1 " : j == k + 1 ? "-1 " : "0 ";
    rows += "<= 0; ";
  }
  const auto C = bounded_set(0.25, 2.0).make(), program = set("polytope", {"program=" + rows}).make();
  for (int trial = 0; trial < 30; ++trial) {
    const Numbers c = points(engine, n, trial % 2, 1.5);
    CHECK(dot(c, corner(*C, shape, c)) == doctest::Approx(dot(c, corner(*program, shape, c))).epsilon(1e-9));
    const Numbers x = projected(*C, shape, c), y = projected(*program, shape, c);
    for (std::size_t k = 0; k < n; ++k) CHECK(x[k] == doctest::Approx(y[k]).epsilon(1e-8));
  }
}

TEST_CASE("monotone: the projection meets its variational inequality at every corner, from near and far") {
  Engine engine(33);
  for (const std::size_t n : {1, 2, 5, 60})
    for (const double scale : {1e-9, 0.5, 3.0, 1e9})
      for (int trial = 0; trial < 4; ++trial) {
        const auto C = bounded_set(-0.5, 2.0).make();
        const Shape shape = Shape::vector(static_cast<Index>(n));
        const Numbers v = points(engine, n, trial % 2, scale), x = projected(*C, shape, v),
                      normal = combined(1.0, v, -1.0, x);
        CHECK(query<Membership>(*C)->violation(Element::dense(shape, x)) == 0.0);
        for (const Numbers& u : steps(n, -0.5, 2.0))
          CHECK(dot(normal, combined(1.0, u, -1.0, x)) <= 1e-13 * (1.0 + scale) * static_cast<double>(n));
      }
}

TEST_CASE("monotone: falling entries and rows are the rising columns in another order") {
  Engine engine(34);
  constexpr std::size_t m = 4, n = 3;
  const Numbers v = points(engine, m * n, false, 1.0);
  const auto rising = bounded_set(-1.0, 1.0).make(),
             falling = bounded_set(-1.0, 1.0, {"order=falling"}).make(),
             rows = bounded_set(-1.0, 1.0, {"along=rows"}).make();
  Numbers turned(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) turned[i * n + j] = v[j * m + i];
  const Shape wide = Shape::matrix(m, n), tall = Shape::matrix(n, m);
  for (const auto& of : {&corner, &projected}) {
    CHECK(reversed(of(*rising, wide, reversed(v))) == of(*falling, wide, v));
    const Numbers by_rows = of(*rows, tall, turned), by_columns = of(*rising, wide, v);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) CHECK(by_rows[i * n + j] == by_columns[j * m + i]);
  }
}

TEST_CASE("monotone: the worst corner of the face, and how far a step away from it leads") {
  Engine engine(35);
  constexpr std::size_t n = 6;
  const Shape shape = Shape::vector(n);
  const auto C = bounded_set(-0.5, 2.0).make();
  const std::vector<Numbers> corners = steps(n, -0.5, 2.0);
  for (unsigned bits = 1; bits < 128; bits += 3) {  // which of the seven corners the point is made of
    Numbers x(n, 0.0), weight(n + 1, 0.0);
    const double total = static_cast<double>(std::popcount(bits));
    const Numbers g = points(engine, n, bits % 2, 1.0);
    std::size_t worst = n + 1;
    for (std::size_t k = 0; k <= n; ++k) {
      if (!(bits >> k & 1U)) continue;
      weight[k] = 1.0 / total;
      x = combined(1.0, x, weight[k], corners[k]);
      if (worst > n || dot(g, corners[k]) > dot(g, corners[worst])) worst = k;
    }
    Element a;
    const FaceInfo info = query<Faces>(*C)->away(Element::dense(shape, g), Element::dense(shape, x), {}, a);
    CHECK(info.value == doctest::Approx(dot(g, corners[worst])));
    CHECK(dot(g, a.to_dense()) == doctest::Approx(info.value));
    CHECK(info.whole == (bits == 127));
    CHECK(info.longest == doctest::Approx(total > 1.0 ? 1.0 / (total - 1.0) : 0.0));
    const Numbers end = combined(1.0 + info.longest, x, -info.longest, a.to_dense());
    CHECK(query<Membership>(*C)->violation(Element::dense(shape, end)) <= 1e-12);
  }
}

TEST_CASE("monotone: isotonic regression with weights is the max-min formula, by every kind of step") {
  Engine engine(36);
  constexpr std::size_t n = 25;
  Numbers y = points(engine, n, false, 0.4), w(n);
  std::string data, weights;
  for (std::size_t k = 0; k < n; ++k) {
    y[k] += 0.08 * static_cast<double>(k), w[k] = 0.5 + static_cast<double>(engine() % 4);
    data += print_real(y[k]) + ' ', weights += print_real(w[k]) + ' ';
  }
  const Numbers expected = isotonic(y, w, 0.1, 1.5);
  for (const std::string algorithm :
       {"proximal-gradient", "away-step", "pairwise", "blended-pairwise", "in-face"}) {
    CAPTURE(algorithm);
    const RunResult r =
        solve({"objective.use=distance", "objective.data=" + data, "objective.weights=" + weights,
               "set.use=monotone", "set.lower=0.1", "set.upper=1.5", "algorithm.use=" + algorithm,
               "stop.gap=1e-9", "stop.iterations=100000"});
    CHECK(r.status == Status::gap);
    CHECK(r.measurement.confirmed);
    const Numbers x = r.answer.to_dense();
    for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(x[k] - expected[k]) <= 1e-4);
  }
}

TEST_CASE("monotone: all tests of the kit with every option, and refusals") {
  for (const Words& more : {Words{}, {"order=falling"}, {"along=rows"}, {"order=falling", "along=rows"}})
    for (const Shape& shape : case_shapes()) check_conformance(bounded_set(-0.7, 0.4, more), shape, {});
  CHECK(query<LinearOracle>(*bounded_set(-1.0, 1.0).make())->diameter(Shape::matrix(4, 4)) == 8.0);
  check_mentions(complaint([&] { bounded_set(1.0, 0.0).make(); }, ErrorKind::usage),
                 {"set.lower", "lower = 1", "upper = 0"});
  Element x;
  const Shape product = Shape::product({Shape::vector(2), Shape::vector(3)});
  check_mentions(
      complaint(
          [&] { query<LinearOracle>(*bounded_set(0.0, 1.0).make())->minimize(Element(product), {}, x); },
          ErrorKind::usage),
      {"product"});
}

}  // namespace claros::test::monotone
