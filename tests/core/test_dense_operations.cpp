// SPDX-License-Identifier: BSD-3-Clause
// Sums and inner products that methods with momentum make in every step: of any forms, and of dense arrays in
// place.
#include "allocations.hpp"
#include "numbers.hpp"
#include "random_elements.hpp"

#include <claros/element/element.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

namespace claros::testing::dense_operations {

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> minus(const Element& x, const Element& y) {
  std::vector<double> a = x.to_dense();
  const std::vector<double> b = y.to_dense();
  for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  return a;
}

}  // namespace

TEST_CASE(
    "assign_sum, inner_difference and inner_differences are what arithmetic on arrays makes, of any forms") {
  Engine engine(11);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 8, 5, 0.4));
  for (int trial = 0; trial < 600; ++trial) {
    const auto any = [&] {
      Element x = random_element(engine, trial % 3 ? static_cast<int>(engine() % kForms) : 0, map);
      if (engine() % 2)
        x.add(0.7, random_element(engine, trial % 3 ? static_cast<int>(engine() % kForms) : 0, map));
      if (engine() % 2) x.scale(-1.7);
      return x;
    };
    const Element u = any(), v = any(), x = any(), y = any();
    const auto close = [](double a, double b) { return std::abs(a - b) < 1e-9 * (1.0 + std::abs(b)); };
    CHECK(close(inner_difference(u, x, y), dot(u.to_dense(), minus(x, y))));
    CHECK(close(inner_differences(u, v, x, y), dot(minus(u, v), minus(x, y))));
    CHECK(close(inner_differences(x, y, x, y), dot(minus(x, y), minus(x, y))));
    std::vector<double> sum = x.to_dense();
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = 1.3 * sum[k] - 0.4 * y.to_dense()[k];
    Element into = trial % 2 ? any() : Element(), copy = into;
    if (engine() % 2) (void)x.image(map), (void)y.image(map);
    const std::vector<double> before = copy.shape().size() ? copy.to_dense() : std::vector<double>();
    into.assign_sum(1.3, x, -0.4, y);
    CHECK(distance(into.to_dense(), sum) < 1e-9 * (1.0 + norm(x) + norm(y)));
    CHECK(distance(into.image(map), Element::dense(x.shape(), sum).image(map)) <
          1e-9 * (1.0 + norm(x) + norm(y)));
    if (!before.empty()) CHECK(copy.to_dense() == before);  // an array that is shared is not written
    Element self = x;
    self.assign_sum(1.3, self, -0.4, y);
    CHECK(distance(self.to_dense(), sum) < 1e-9 * (1.0 + norm(x) + norm(y)));
  }
}

namespace {

using Wide = std::vector<long double>;

/// The matrix of an element without dense rounding: its factors are multiplied in long double.
Wide widened(const Element& x) {
  Wide all;
  for (Index k = 0; k < x.block_count(); ++k) {
    const Wide block = widened(x.block(k));
    all.insert(all.end(), block.begin(), block.end());
  }
  if (x.block_count() > 0) return all;
  const Index m = x.shape().rows, n = x.shape().cols;
  all.assign(static_cast<std::size_t>(m * n), 0.0L);
  for (const Part& part : x.parts()) {
    const auto* low = std::get_if<LowRankForm>(&part.form);
    if (!low) {
      Element alone(x.shape());
      alone.append(part);
      const std::vector<double> values = alone.to_dense();
      for (std::size_t j = 0; j < values.size(); ++j) all[j] += values[j];
      continue;
    }
    for (std::size_t k = 0; k < low->weights.size(); ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m; ++i)
          all[static_cast<std::size_t>(j * m + i)] +=
              static_cast<long double>(part.weight) * low->weights[k] *
              low->store->left(static_cast<Index>(k))[static_cast<std::size_t>(i)] *
              low->store->right(static_cast<Index>(k))[static_cast<std::size_t>(j)];
  }
  return all;
}

long double dot(const Wide& a, const Wide& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0L);
}

Wide minus(const Wide& a, const Wide& b) {
  Wide c(a);
  for (std::size_t k = 0; k < c.size(); ++k) c[k] -= b[k];
  return c;
}

/// U diag(1, 1/2, 1/4, ...) V' for given columns, plus `off` times normal numbers in each column.
Element factored(Engine& engine, Index m, Index n, const std::vector<double>& u, const std::vector<double>& v,
                 double off, double unit) {
  const auto moved = [&](std::vector<double> a) {
    const std::vector<double> by = normals(engine, std::ssize(a));
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += off * by[k];
    return Buffer(std::move(a));
  };
  std::vector<double> weights(u.size() / static_cast<std::size_t>(m));
  for (double weight = unit; double& w : weights) w = weight, weight /= 2.0;
  return Element::low_rank(std::make_shared<FactorStore>(m, n, moved(u), moved(v)), weights);
}

}  // namespace

TEST_CASE("differences of near points: products of factors lose no more than dense arithmetic") {
  Engine engine(14);
  const std::vector<std::pair<Index, Index>> shapes{{6, 9}, {60, 60}, {700, 3}, {2, 500}, {160, 140}};
  for (const auto& [m, n] : shapes)
    for (const Index rank : {Index{1}, Index{2}, Index{5}})
      for (const double unit : {1.0, 1e-60, 1e60})
        for (const char* form : {"factored", "orthogonal", "dense", "mixed", "blocks"}) {
          const std::vector<double> u = normals(engine, m * rank), v = normals(engine, n * rank);
          const std::string name = form;
          std::vector<Element> points;
          for (int k = 0; k < 4; ++k) {
            Element x = factored(engine, m, n, u, v, 1e-8, unit);
            if (name == "orthogonal") (void)x.recompress(0.0);
            if (name == "dense" || (name == "mixed" && k % 2 == 0)) (void)x.dense_values();
            if (name == "blocks") x = Element::product({x, factored(engine, m, n, u, v, 1e-8, unit)});
            points.push_back(std::move(x));
          }
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(rank);
          CAPTURE(unit);
          CAPTURE(name);
          const auto &a = points[0], &b = points[1], &c = points[2], &d = points[3];
          const Wide first = minus(widened(a), widened(b)), second = minus(widened(c), widened(d));
          const double square = static_cast<double>(dot(first, first)),
                       size = std::sqrt(square) * std::sqrt(static_cast<double>(dot(second, second)));
          CHECK(std::abs(inner_differences(a, b, a, b) - square) <= 1e-6 * square);
          CHECK(std::abs(inner_differences(a, b, c, d) - static_cast<double>(dot(first, second))) <=
                1e-6 * size);
          CHECK(std::abs(inner_difference(c, a, b) - static_cast<double>(dot(widened(c), first))) <=
                1e-6 * std::sqrt(square) * norm(c));
          Element apart(a);
          apart.add(-1.0, b);
          CHECK(std::abs(norm(apart) - std::sqrt(square)) <= 1e-6 * std::sqrt(square));
          CHECK(inner_differences(a, a, a, a) <= 1e-28 * norm(a) * norm(a));
          CHECK(std::abs(inner_differences(a, b, c, c)) <= 1e-14 * norm(a) * std::sqrt(square));
        }
  const Element zero(Shape::matrix(4, 3)),
      one = Element::rank_one(1.0, normals(engine, 4), normals(engine, 3));
  CHECK(inner_differences(zero, zero, one, zero) == 0.0);
  CHECK(inner_differences(zero, zero, zero, zero) == 0.0);
  CHECK(std::abs(inner_differences(one, zero, one, zero) - norm(one) * norm(one)) <= 1e-14 * norm(one));
}

TEST_CASE("take_images: the images of a combination, for a point that is known to be it") {
  Engine engine(12);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 9, 4, 0.5));
  Element y = random_element(engine, 2, map), z = random_element(engine, 0, map), x(y);
  (void)y.image(map), (void)z.image(map);
  x.blend(0.3, z);
  x.drop_images();
  x.take_images(0.3, y, z);
  CHECK(x.has_image(map));
  Element bare(x);
  bare.drop_images();
  CHECK(distance(x.image(map), bare.image(map)) < 1e-12 * (1.0 + norm(x)));
  y.scale(-2.0), z.scale(0.7);  // whose images are multiples of those that were made
  x = y, x.blend(0.3, z), x.drop_images();
  bare = x;
  x.take_images(0.3, y, z);
  CHECK(x.has_image(map));
  CHECK(distance(x.image(map), bare.image(map)) < 1e-12 * (1.0 + norm(x)));
  z.drop_images();
  x.take_images(0.3, y, z);
  CHECK(!x.has_image(map));
}

TEST_CASE("dense with dense and equal patterns: no operation of a step makes an array") {
  if (!Allocations::counted()) return;
  const Index p = 100000;
  Engine engine(13);
  const Shape shape = Shape::vector(p);
  const auto pattern = random_pattern(engine, 300, 200, 0.5);
  Element x = Element::dense(shape, normals(engine, p)), y = Element::dense(shape, normals(engine, p)),
          g = Element::dense(shape, normals(engine, p));
  Element to = Element::dense(shape, normals(engine, p));
  Element s = Element::sparse(pattern, Buffer(normals(engine, pattern->entries()))),
          t = Element::sparse(pattern, Buffer(normals(engine, pattern->entries())));
  const Allocations made;
  double sum = inner(x, y) + norm(x) + inner(s, t) + norm(s) + inner_difference(g, x, y) +
               inner_differences(x, y, g, y);
  to.assign_sum(1.5, x, -0.5, y);
  x.add(0.3, y);
  s.add(0.3, t);
  x.scale(0.5);
  x.blend(0.2, g);
  sum += inner(x, g);
  CHECK(std::isfinite(sum));
  CHECK(made.peak() < 8 * p / 10);
}

}  // namespace claros::testing::dense_operations
