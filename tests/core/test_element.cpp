// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"
#include "random_elements.hpp"

#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

using namespace claros;
using claros::testing::Engine;
using claros::testing::kForms;
using claros::testing::normals;
using claros::testing::random_element;
using claros::testing::random_pattern;

namespace {

/// An element and the dense array that it must equal.
struct Twin {
  Element element;
  std::vector<double> dense;

  explicit Twin(Element x) : element(std::move(x)), dense(element.to_dense()) {}
  void scale(double a) {
    element.scale(a);
    for (double& value : dense) value *= a;
  }
  void add(double a, const Twin& y) {
    element.add(a, y.element);
    for (std::size_t k = 0; k < dense.size(); ++k) dense[k] += a * y.dense[k];
  }
  void blend(double w, const Twin& v) {
    element.blend(w, v.element);
    for (std::size_t k = 0; k < dense.size(); ++k) dense[k] = (1.0 - w) * dense[k] + w * v.dense[k];
  }
  double error() const { return distance(element.to_dense(), dense); }
};

std::vector<double> sampled(const SamplingMap& map, const std::vector<double>& dense) {
  std::vector<double> z;
  const Pattern& pattern = *map.pattern();
  for (Index e = 0; e < pattern.entries(); ++e)
    z.push_back(dense[static_cast<std::size_t>(pattern.col()[static_cast<std::size_t>(e)] * pattern.rows() +
                                               pattern.row()[static_cast<std::size_t>(e)])]);
  return z;
}

const std::vector<std::pair<Index, Index>> kShapes{{1, 1}, {7, 1}, {1, 6}, {9, 5}, {6, 13}};

}  // namespace

TEST_CASE("an element of any sum of forms equals its dense twin through random arithmetic") {
  for (const auto& [m, n] : kShapes) {
    Engine engine(static_cast<std::uint64_t>(m * 100 + n));
    const auto map = std::make_shared<SamplingMap>(random_pattern(engine, m, n, 0.4));
    std::vector<Twin> pool;
    for (int form = 0; form < kForms; ++form) pool.emplace_back(random_element(engine, form, map));
    for (int step = 0; step < 300; ++step) {
      Twin& x = pool[engine() % pool.size()];
      Twin y = pool[engine() % pool.size()];  // a copy: the shared arrays must not be written through x
      const double a = std::normal_distribution<double>()(engine);
      switch (engine() % 5) {
        case 0:
          x.scale(a);
          break;
        case 1:
          x.add(a, y);
          break;
        case 2:
          x.blend(0.25, y);
          break;
        case 3:
          CHECK(distance(x.element.image(map), sampled(*map, x.dense)) < 1e-9 * (1 + norm(x.element)));
          break;
        default: {
          const std::vector<Index> rows{0, map->size() - 1};
          std::vector<double> z(2);
          x.element.image_at(map, rows, z);
          const auto all = sampled(*map, x.dense);
          CHECK(std::abs(z[0] - all.front()) + std::abs(z[1] - all.back()) < 1e-9 * (1 + norm(x.element)));
        }
      }
      CHECK(x.error() <= 1e-10 * (1 + norm(x.element)));
      CHECK(y.error() <= 1e-10 * (1 + norm(y.element)));
      if (norm(x.element) > 1e3) x.scale(1e-3);
      if (x.element.columns() > 20) x.element.recompress(0.0);
    }
  }
}

TEST_CASE("inner products of every pair of forms equal those of the dense arrays, with and without images") {
  Engine engine(5);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 8, 6, 0.5));
  for (int f = 0; f < kForms; ++f)
    for (int g = 0; g < kForms; ++g) {
      Element x = random_element(engine, f, map), y = random_element(engine, g, map);
      const auto a = x.to_dense(), b = y.to_dense();
      const double expected = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
      CHECK(inner(x, y) == doctest::Approx(expected).epsilon(1e-10));
      (void)y.image(map);
      (void)x.image(map);
      CHECK(inner(x, y) == doctest::Approx(expected).epsilon(1e-10));
      x.add(0.5, y);
      CHECK(inner(x, y) ==
            doctest::Approx(expected + 0.5 * std::inner_product(b.begin(), b.end(), b.begin(), 0.0)));
    }
}

TEST_CASE("products with an element equal those with its dense array") {
  Engine engine(6);
  const Index m = 8, n = 6;
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, m, n, 0.5));
  Element x(map->domain());
  for (int form = 0; form < kForms; ++form) x.add(1.0 + form, random_element(engine, form, map));
  const testing::DenseMatrixOperator plain(m, n, x.to_dense());
  const ElementOperator op(x);
  const auto right = normals(engine, n), left = normals(engine, m);
  std::vector<double> y(8), y_plain(8), z(6), z_plain(6);
  op.apply(right, y);
  plain.apply(right, y_plain);
  op.apply_adjoint(left, z);
  plain.apply_adjoint(left, z_plain);
  CHECK(distance(y, y_plain) < 1e-11);
  CHECK(distance(z, z_plain) < 1e-11);
  CHECK(op.products() == 2);
}

TEST_CASE("x <- (1-w) x + w v updates the image without expanding the point") {
  Engine engine(7);
  const Index m = 30, n = 20;
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, m, n, 0.3));
  Element x(map->domain());
  (void)x.image(map);
  for (int t = 0; t < 40; ++t) {
    x.blend(2.0 / (t + 2.0), Element::rank_one(3.0, normals(engine, m), normals(engine, n)));
    if (t % 7 == 0) (void)x.image(map);
    CHECK(x.has_image(map));
  }
  Element fresh(x);
  fresh.drop_images();
  CHECK(distance(x.image(map), fresh.image(map)) < 1e-11 * norm(x));
  CHECK(x.columns() == 40);
}

TEST_CASE("one evaluation serves the copies, and a detached copy leaves no trace") {
  Engine engine(8);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 10, 10, 0.5));
  Element x = random_element(engine, 2, map);
  (void)x.image(map);
  const Element snapshot = x;
  x.blend(0.5, Element::rank_one(1.0, normals(engine, 10), normals(engine, 10)));
  Element difference = x;
  difference.add(-1.0, snapshot);
  const auto z = difference.image(map);
  const std::vector<double> kept(z.begin(), z.end());
  auto expected = x.to_dense();
  const auto old = snapshot.to_dense();
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] -= old[k];
  CHECK(distance(kept, sampled(*map, expected)) < 1e-12);
  const Element measured = x.detached();
  (void)measured.image(map);
  CHECK(distance(x.image(map), measured.image(map)) < 1e-12);
}

TEST_CASE("a difference of elements that share an array leaves nothing of it") {
  Engine engine(9);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 10, 10, 0.5));
  const Element drift = random_element(engine, 3, map);
  Element g = drift;
  const std::vector<Index> rows{3};
  g.add_adjoint(2.0, map, rows, std::vector<double>{1.5});
  g.add(-1.0, drift);
  REQUIRE(g.parts().size() == 1);
  const auto& form = std::get<AdjointForm>(g.parts().front().form);
  CHECK(form.full.empty());
  CHECK(form.rows == rows);
  CHECK(g.parts().front().weight * form.coefficients.front() == doctest::Approx(3.0));
}

TEST_CASE("thousands of blends keep weights in range") {
  Element x = Element::rank_one(1.0, std::vector<double>{1.0, 2.0}, std::vector<double>{1.0});
  const Element v = Element::rank_one(1.0, std::vector<double>{1.0, 0.0}, std::vector<double>{1.0});
  for (int t = 0; t < 20000; ++t) x.blend(0.1, v);
  const auto values = x.to_dense();
  CHECK(values[0] == doctest::Approx(1.0).epsilon(1e-12));
  CHECK(std::abs(values[1]) < 1e-300);
}

TEST_CASE("thousands of sums with oneself keep weights in range") {
  // As in momentum: x <- x + x/2 - before/2 leaves a fixed point where it is; the weight of its array grows.
  Element x = Element::dense(Shape::vector(2), {1.0, -2.0}),
          before = Element::dense(Shape::vector(2), {1.0, -2.0});
  for (int t = 0; t < 5000; ++t) {
    Element next(x);
    next.add(0.5, x);
    next.add(-0.5, before);
    before = std::exchange(x, std::move(next));
  }
  CHECK(x.to_dense()[0] == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(x.to_dense()[1] == doctest::Approx(-2.0).epsilon(1e-9));
}

TEST_CASE("a point that jumps or is recompressed is followed on") {
  Engine engine(12);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 30, 20, 0.3));
  const auto vertex = [&] { return Element::rank_one(3.0, normals(engine, 30), normals(engine, 20)); };
  Element x(map->domain());
  for (int k = 0; k < 8; ++k) x.add(1.0, vertex());
  (void)x.image(map);
  const auto right = [&] {
    return distance(x.image(map), sampled(*map, x.to_dense())) < 1e-11 * (1 + norm(x));
  };
  CHECK(x.recompress(0.5 * norm(x)) > 0.0);
  CHECK(x.has_image(map));
  x.blend(0.1, vertex());
  CHECK(right());
  x.blend(1.0, vertex());
  CHECK(x.has_image(map));
  x.blend(0.1, vertex());
  CHECK(x.columns() == 2);
  CHECK(right());
}

TEST_CASE("sums of long shared arrays equal those entry by entry") {
  Engine engine(13);
  const auto map =
      std::make_shared<SamplingMap>(random_pattern(engine, 120, 100, 0.6));  // several pieces of a sum
  Element x(map->domain()), y(map->domain());
  x.add(1.0, Element::rank_one(1.0, normals(engine, 120), normals(engine, 100)));
  y.add(1.0, Element::rank_one(1.0, normals(engine, 120), normals(engine, 100)));
  const std::vector<double> a(x.image(map).begin(), x.image(map).end()),
      b(y.image(map).begin(), y.image(map).end());
  REQUIRE(a.size() > 4096);
  Element d = x;
  d.scale(3.0);
  d.add(-0.5, y);
  std::vector<double> expected(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) expected[k] = 3.0 * a[k] - 0.5 * b[k];
  CHECK(distance(d.image(map), expected) < 1e-12 * norm(d));
  Element g = Element::adjoint(map, Buffer(a));
  const Element kept = g;
  g.add_adjoint(2.0, map, Buffer(b));
  for (std::size_t k = 0; k < a.size(); ++k) expected[k] = a[k] + 2.0 * b[k];
  CHECK(distance(g.image(map), expected) < 1e-12 * norm(g));
  CHECK(distance(kept.image(map), a) == 0.0);
}

TEST_CASE("recompression leaves the point where it is, to rounding, and drops no more than it may") {
  Engine engine(10);
  for (const auto& [m, n] : kShapes) {
    const auto map = std::make_shared<SamplingMap>(random_pattern(engine, m, n, 0.5));
    Element x(Shape::matrix(m, n));
    for (int k = 0; k < 25; ++k) x.blend(0.1, Element::rank_one(1.0, normals(engine, m), normals(engine, n)));
    const auto before = x.to_dense();
    Element y = x;
    CHECK(y.recompress(0.0) < 1e-11 * norm(x));
    CHECK(y.columns() <= std::min(m, n));
    CHECK(distance(y.to_dense(), before) < 1e-12 * (1 + norm(x)) * 10);
    const double tail = 0.3 * norm(x);
    const double dropped = y.recompress(tail);
    CHECK(dropped <= tail);
    CHECK(distance(y.to_dense(), before) <= dropped + 1e-11);
  }
}

TEST_CASE("singular values, rank and support are those of the matrix, at any scale and weight") {
  Engine engine(77);
  const Index m = 9, n = 6;
  for (const double scale : {1.0, 1e-14, 1e14, -1.0})
    for (const Index rank : {1, 3, 6}) {
      // Twice as many columns as the rank, some of weight 0, and the whole times `scale`.
      auto store = std::make_shared<FactorStore>(m, n);
      std::vector<double> weights;
      for (Index k = 0; k < rank; ++k) {
        const std::vector<double> u = normals(engine, m), v = normals(engine, n);
        for (const double weight : {1.5, 0.0, -0.5}) store->append(u, v), weights.push_back(weight);
      }
      Element x = Element::low_rank(std::move(store), weights);
      x.scale(scale);
      CHECK(rank_or_support(x) == rank);
      const std::vector<double> s = x.singular_values(), dense = x.to_dense(),
                                expected = Element::dense(Shape::matrix(m, n), dense).singular_values();
      double norm_of = 0.0, sum = 0.0;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        CHECK((k < s.size() ? s[k] : 0.0) == doctest::Approx(expected[k]).scale(expected[0]).epsilon(1e-10));
        norm_of += expected[k] * expected[k], sum += expected[k];
      }
      CHECK(norm(x) == doctest::Approx(std::sqrt(norm_of)));
      CHECK(x.nuclear_norm() == doctest::Approx(sum));
      // Recompressed without a tail it keeps no column that is rounding.
      CHECK(x.recompress(0.0) <= 1e-12 * expected[0]);
      CHECK(x.columns() == rank);
      CHECK(distance(x.to_dense(), dense) <= 1e-12 * expected[0]);
    }
  // Columns of one array, some of them out of use, sampled and expanded at a weight of their own.
  const std::vector<double> u = normals(engine, m * 5), v = normals(engine, n * 5);
  const std::vector<double> weights{0.0, 2.0, 0.0, -1.0, 3.0};
  Element part = Element::low_rank(std::make_shared<FactorStore>(m, n, Buffer(u), Buffer(v)), weights);
  part.scale(-0.5);
  std::vector<double> expected(static_cast<std::size_t>(m * n), 0.0);
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t i = 0; i < 9; ++i)
        expected[9 * j + i] -= 0.5 * weights[k] * u[9 * k + i] * v[6 * k + j];
  CHECK(distance(part.to_dense(), expected) < 1e-12);
  CHECK(rank_or_support(part) == 3);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, m, n, 0.4));
  const auto pattern = random_pattern(engine, m, n, 0.6);
  Element other = Element::sparse(pattern, Buffer(normals(engine, pattern->entries())));
  other.scale(3.0);
  for (const Element* x : {&part, &other}) {
    std::vector<double> z(static_cast<std::size_t>(map->size()), 1.0);
    map->apply(2.0, *x, 0.5, z);
    const std::vector<double> of_dense = sampled(*map, x->to_dense());
    for (std::size_t e = 0; e < z.size(); ++e) CHECK(z[e] == doctest::Approx(0.5 + 2.0 * of_dense[e]));
  }
  const Shape shape = Shape::matrix(2, 3);
  CHECK(rank_or_support(Element(shape)) == 0);
  CHECK(rank_or_support(Element::dense(shape, {0.0, -1.0, 1e-300, 0.0, 0.0, 5.0})) == 3);
  Element sum = Element::dense(shape, {1, 2, 3, 4, 5, 6});
  auto store = std::make_shared<FactorStore>(2, 3);
  store->append(std::vector<double>{1, 2}, std::vector<double>{1, 0, 1});
  sum.add(1.0, Element::low_rank(std::move(store), {1.0}));
  if (sum.parts().size() > 1) CHECK(rank_or_support(sum) == -1);
  const Element sparse = Element::sparse(
      std::make_shared<const Pattern>(2, 3, std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{0, 2}),
      Buffer(std::vector<double>{1.0, 0.0}));
  CHECK(rank_or_support(sparse) == -1);  // neither factors nor an array
}

TEST_CASE("the same values on one thread and on three") {
  Engine engine(11);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 1500, 300, 0.7));
  Element x(map->domain());
  for (int k = 0; k < 11; ++k)
    x.add(1.0, Element::rank_one(1.0, normals(engine, 1500), normals(engine, 300)));
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    Element copy(x);
    const auto z = copy.image(map);
    const ElementOperator op(Element::adjoint(map, Buffer({z.begin(), z.end()})));
    std::vector<double> y(1500), w(300);
    op.apply(std::vector<double>(300, 1.0), y);
    op.apply_adjoint(y, w);
    return std::tuple(std::vector<double>(z.begin(), z.end()), y, w);
  };
  CHECK(run(1) == run(3));
}

TEST_CASE("sums that go on keep no more columns than entries are worth, whatever their numbers are") {
  Engine engine(21);
  for (const auto& [m, n] : {std::pair<Index, Index>{1, 1}, {1, 6}, {5, 4}, {40, 30}})
    for (const double unit : {1.0, 1e-200, 1e200, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
      INFO(m, " x ", n, " ", unit);
      const Shape shape = Shape::matrix(m, n);
      const auto most = static_cast<std::size_t>(std::max(n + 80, 4 * n));
      Element sum(shape), snapshot(shape),
          point = Element::rank_one(1.0, normals(engine, m), normals(engine, n));
      std::vector<double> expected(static_cast<std::size_t>(m * n), 0.0);
      for (int step = 0; step < 400; ++step) {
        const Element vertex = Element::rank_one(unit, normals(engine, m), normals(engine, n));
        Element difference(point);  // takes one column into the store of the point, or several
        difference.add(-1.0, vertex);
        if (step % 7 == 0) snapshot = difference;
        difference.add(1.0, snapshot);
        sum.blend(0.01, vertex);
        Element twice(sum);
        twice.add(1.0, difference);
        const auto dense = vertex.to_dense();
        for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = 0.99 * expected[k] + 0.01 * dense[k];
        for (const Element* x : {&sum, &snapshot, &point, &difference, &twice})
          for (const Part& part : x->parts())
            if (const auto* low = std::get_if<LowRankForm>(&part.form)) {
              REQUIRE(low->weights.size() <= most);
              REQUIRE(static_cast<std::size_t>(low->store->count()) <= most + 1);
            }
      }
      CHECK(all_finite(sum) == std::isfinite(unit));
      if (!std::isfinite(unit)) continue;
      const auto values = sum.to_dense();
      for (std::size_t k = 0; k < values.size(); ++k)
        CHECK(std::abs(values[k] - expected[k]) <= 1e-13 * unit * std::sqrt(static_cast<double>(n)));
    }
}

TEST_CASE("shapes that do not agree are refused by name") {
  Element x(Shape::matrix(2, 3));
  CHECK_THROWS_WITH_AS(x.add(1.0, Element::rank_one(1.0, std::vector<double>{1.0}, std::vector<double>{1.0})),
                       doctest::Contains("2 x 3 and 1 x 1"), Error);
}

TEST_CASE("a map reads points of its domain only") {
  Engine engine(12);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 5, 4, 0.5));
  const std::vector<Index> first{0};
  std::vector<double> out(1);
  for (const Shape& shape : {Shape::matrix(4, 4), Shape::matrix(6, 4), Shape::vector(20)}) {
    const Element x = Element::dense(shape, normals(engine, shape.size()));
    CHECK_THROWS_WITH_AS((void)x.image(map), doctest::Contains("5 x 4"), Error);
    CHECK_THROWS_WITH_AS(x.image_at(map, first, out), doctest::Contains("5 x 4"), Error);
  }
}
