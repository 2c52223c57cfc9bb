// SPDX-License-Identifier: BSD-3-Clause
#include <claros/map/design_map.hpp>

#include <doctest/doctest.h>
#include <claros/element/element.hpp>

#include <limits>
#include <memory>
#include <vector>

using namespace claros;

TEST_CASE("design map: of the point 0 what stood there counts, and nothing of it where it does not") {
  auto design = std::make_shared<Design>();
  design->rows = design->cols = 2;
  design->entries = DenseRows<double>{{1.0, 2.0, 3.0, 4.0}};
  design->response = {0.0, 0.0};
  const Element zero(Shape::vector(2)), zeros = Element::dense(Shape::vector(2), {0.0, 0.0});
  for (const bool intercept : {false, true}) {
    const DesignMap map(design, Shape::vector(2), 1, intercept);
    const Element none(map.domain());
    std::vector<double> z{5.0, -6.0};
    map.apply(2.0, none, -1.0, z);
    CHECK(z == std::vector<double>{-5.0, 6.0});
    z = {std::numeric_limits<double>::quiet_NaN(), 7.0};
    map.apply(2.0, none, 0.0, z);
    CHECK(z == std::vector<double>{0.0, 0.0});
  }
  const DesignMap map(design, Shape::vector(2));
  std::vector<double> a{1.0, 2.0}, b = a;
  map.apply(3.0, zero, 0.5, a);
  map.apply(3.0, zeros, 0.5, b);
  CHECK(a == b);
}
