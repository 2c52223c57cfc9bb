// SPDX-License-Identifier: BSD-3-Clause
// Norms of elements whose squares cancel or leave the range of numbers.
#include "numbers.hpp"
#include "random_elements.hpp"

#include <claros/map/design_map.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

using namespace claros;
using claros::testing::Engine;
using claros::testing::kForms;
using claros::testing::normals;
using claros::testing::random_element;
using claros::testing::random_pattern;

namespace {

double length(const std::vector<double>& values) { return std::sqrt(dot(values, values)); }

/// Relative to what is expected, however small.
void check_close(double found, double expected, double tolerance) {
  CHECK(found / expected == doctest::Approx(1.0).epsilon(tolerance));
}

/// A map of two outputs, both `scale` times a row of 2.
MapPtr small_rows(double scale) {
  auto design = std::make_shared<Design>();
  design->rows = design->cols = 2;
  design->entries = DenseRows<double>{{1.0 * scale, 2.0 * scale, -3.0 * scale, 0.5 * scale}};
  design->response = {0.0, 0.0};
  return std::make_shared<DesignMap>(design, Shape::vector(2));
}

}  // namespace

TEST_CASE("norm: what is left of forms that cancel has its digits, and is no zero") {
  Engine engine(1);
  const Index m = 8, n = 6;
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, m, n, 0.5));
  for (const double rest : {1e-3, 1e-6, 1e-9, 1e-12})
    for (int form = 1; form < kForms; ++form) {
      CAPTURE(rest);
      CAPTURE(form);
      Element x = random_element(engine, form, map);
      std::vector<double> opposite = x.to_dense();
      for (double& value : opposite) value = -value;
      x.add(1.0, Element::dense(map->domain(), opposite));
      const Element left = Element::dense(map->domain(), normals(engine, m * n));
      x.add(rest, left);
      check_close(norm(x), rest * norm(left), 1e-3);
      check_close(norm(Element::product({x, x})), std::sqrt(2.0) * rest * norm(left), 1e-3);
    }
}

TEST_CASE("norm: columns of low rank that cancel, of a small and of a large matrix") {
  Engine engine(2);
  for (const Index m : {Index{7}, Index{3000}})
    for (const double rest : {1e-2, 1e-7, 1e-11}) {
      CAPTURE(m);
      CAPTURE(rest);
      const Index n = m == 7 ? 5 : 2900;
      const std::vector<double> u = normals(engine, m), v = normals(engine, n), d = normals(engine, m);
      std::vector<double> moved(u);
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += rest * d[i];
      Element x = Element::rank_one(1.0, moved, v);
      x.add(-1.0, Element::rank_one(1.0, u, v));
      REQUIRE(x.columns() == 2);
      check_close(norm(x), rest * length(d) * length(v), 1e-3);
      x.add(-rest, Element::rank_one(1.0, d, v));
      CHECK(norm(x) <= 1e-13 * length(u) * length(v));
    }
}

TEST_CASE("norm: squares that under- or overflow") {
  Engine engine(3);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 8, 6, 0.5));
  for (const double scale : {1e-305, 1e-170, 1e-158, 1e153, 1e160, 1e300})
    for (int form = 0; form < kForms; ++form) {
      CAPTURE(scale);
      CAPTURE(form);
      Element x = random_element(engine, form, map), whole = x;
      const double expected = norm(x) * scale;
      x.scale(scale);
      check_close(norm(x), expected, 1e-10);
      (void)whole.dense_values();
      whole.scale(scale);
      check_close(norm(whole), expected, 1e-10);
      check_close(norm(Element::product({x, x})), std::sqrt(2.0) * expected, 1e-10);
    }
  for (const double scale : {1e-170, 1e-120, 1e120, 1e170}) {
    CAPTURE(scale);
    const Element g = Element::adjoint(small_rows(scale), Buffer({1.0, 1.0}));
    check_close(norm(g), scale * std::hypot(2.0, 2.5), 1e-12);
  }
}

TEST_CASE("norm: a large sparse matrix of tiny numbers is not expanded") {
  constexpr std::int32_t kSide = 1 << 20;
  const auto pattern = std::make_shared<const Pattern>(
      kSide, kSide, std::vector<std::int32_t>{0, 5, kSide - 1}, std::vector<std::int32_t>{7, kSide - 1, 3});
  Element x = Element::sparse(pattern, Buffer({3e-200, 0.0, -4e-200}));
  check_close(norm(x), 5e-200, 1e-12);
  x.add(1.0, Element::low_rank(std::make_shared<FactorStore>(kSide, kSide), {}));
  CHECK(std::isfinite(norm(x)));
}

TEST_CASE("norm: zero is 0, NaN stays NaN, and an infinite number makes it infinite") {
  const Shape shape = Shape::vector(3);
  CHECK(norm(Element(shape)) == 0.0);
  CHECK(norm(Element::dense(shape, {0.0, -0.0, 0.0})) == 0.0);
  CHECK(norm(Element::adjoint(small_rows(1.0), Buffer({0.0, 0.0}))) == 0.0);
  CHECK(std::isnan(norm(Element::dense(shape, {0.0, kNan, 1.0}))));
  CHECK(std::isnan(norm(Element::dense(shape, {0.0, kNan, 1e300}))));
  CHECK(norm(Element::dense(shape, {0.0, -kInfinity, 1.0})) == kInfinity);
  const std::vector<double> u{1.0, kNan}, v{1e-200, 2.0};
  CHECK(std::isnan(norm(Element::rank_one(1.0, u, v))));
}

TEST_CASE("norm: where nothing cancels it has the bits of the inner product's root") {
  Engine engine(4);
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, 8, 6, 0.5));
  Element sum(map->domain());
  for (int form = 0; form < kForms; ++form) {
    const Element x = random_element(engine, form, map);
    CHECK(norm(x) == std::sqrt(inner(x, x)));
    sum.add(1.0, x);
    CHECK(norm(sum) == std::sqrt(inner(sum, sum)));
  }
}
