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
