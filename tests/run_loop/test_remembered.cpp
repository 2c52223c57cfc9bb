// SPDX-License-Identifier: BSD-3-Clause
// What a linear model remembers for a caller that asks again (values, columns of dense rows) is what it would
// make anew.
#include "compose_for_test.hpp"

#include <claros/map/columns.hpp>
#include <claros/map/design_map.hpp>
#include <claros/sdk/losses/last_values.hpp>

#include <numeric>

using namespace claros;
using namespace claros::test;

TEST_CASE("remembered: two values, and of a third the one that was asked for longest ago makes room") {
  sdk::LastValues values;
  const std::vector<double> a{1.0, 2.0}, b{0.0, 0.0}, c{3.0, 4.0}, minus_b{-0.0, 0.0};
  CHECK(!values.recall(a));
  values.keep(a, 10.0);
  values.keep(b, 20.0);
  CHECK(values.recall(a) == 10.0);
  CHECK(!values.recall(minus_b));
  values.keep(c, 30.0);
  CHECK(values.recall(a) == 10.0);
  CHECK(values.recall(c) == 30.0);
  CHECK(!values.recall(b));
}

TEST_CASE("remembered: values are those of a model that is asked for the first time, to the bit") {
  for (const std::string loss : {"squared", "logistic"}) {
    const Words words{"objective.use=linear-model",
                      "objective.loss=" + loss,
                      "data.use=synthetic-regression",
                      "data.rows=50",
                      "data.cols=8",
                      "data.nonzero=3",
                      "data.response=" + std::string(loss == "logistic" ? "logistic" : "linear"),
                      "stop.iterations=1"};
    const Composition c = compose(build_catalog(), spec_of(words));
    std::vector<Element> points;
    for (int k = 0; k < 4; ++k) {
      std::vector<double> x(8);
      std::iota(x.begin(), x.end(), 0.1 * k);
      points.push_back(k == 0 ? Element(Shape::vector(8)) : Element::dense(Shape::vector(8), std::move(x)));
    }
    for (const int k : {0, 1, 0, 2, 2, 1, 3, 0, 3, 1}) {
      const Composition fresh = compose(build_catalog(), spec_of(words));
      CHECK(c.objective->value(points[static_cast<std::size_t>(k)]) ==
            fresh.objective->value(points[static_cast<std::size_t>(k)].detached()));
    }
  }
}

TEST_CASE(
    "remembered: chosen columns of dense rows are the columns, whatever was asked for before and however "
    "many are kept") {
  constexpr Index kRows = 40000, kCols = 230;  // more numbers than are kept
  auto design = std::make_shared<Design>();
  design->rows = kRows, design->cols = kCols;
  DenseRows<float> rows;
  for (Index i = 0; i < kRows * kCols; ++i) rows.values.push_back(static_cast<float>((i * 7919) % 10007));
  design->entries = std::move(rows);
  const DesignMap map(design, Shape::vector(kCols), 1, true);
  std::vector<Index> low(120), high(120), all(kCols + 1);
  std::iota(low.begin(), low.end(), Index{0});
  std::iota(high.begin(), high.end(), Index{111});  // the last is that of ones
  std::iota(all.begin(), all.end(), Index{0});
  const auto agrees = [&](const std::vector<Index>& asked) {
    const auto columns = map.restricted(asked)->columns();
    if (columns->count() != static_cast<Index>(asked.size())) return false;
    for (std::size_t k = 0; k < asked.size(); ++k)
      for (Index i = 0; i < kRows; i += 101) {
        const double wanted =
            asked[k] == kCols ? 1.0 : static_cast<double>(((i * kCols + asked[k]) * 7919) % 10007);
        if (columns->values(static_cast<Index>(k))[static_cast<std::size_t>(i)] != wanted) return false;
      }
    return true;
  };
  for (const auto& asked :
       {low, std::vector<Index>{5, 200, 3}, high, low, all, std::vector<Index>{7, 119, kCols}, high})
    CHECK(agrees(asked));
}
