// SPDX-License-Identifier: BSD-3-Clause
// Products with blocks of vectors are the products with each of them, in every form and in sums of forms.
#include "numbers.hpp"
#include "random_elements.hpp"

#include <claros/map/element_operator.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace claros::testing::block_products {

namespace {

void check_block(const LinearOperator& a, Engine& engine, Index count) {
  const auto m = static_cast<std::size_t>(a.rows()), n = static_cast<std::size_t>(a.cols()),
             k = static_cast<std::size_t>(count);
  const std::vector<double> X = normals(engine, a.cols() * count), Y = normals(engine, a.rows() * count);
  std::vector<double> AX(m * k, kNan), AtY(n * k, kNan), one(m), back(n);  // what stood there plays no part
  a.apply_block(X, count, AX);
  a.apply_adjoint_block(Y, count, AtY);
  double size = 1.0;
  for (const double value : AX) size = std::max(size, std::abs(value));
  for (std::size_t c = 0; c < k; ++c) {
    a.apply(std::span(X).subspan(c * n, n), one);
    a.apply_adjoint(std::span(Y).subspan(c * m, m), back);
    CHECK(distance(one, std::span(AX).subspan(c * m, m)) <= 1e-12 * size * static_cast<double>(m));
    CHECK(distance(back, std::span(AtY).subspan(c * n, n)) <= 1e-12 * size * static_cast<double>(n));
  }
}

std::vector<Element> elements(Engine& engine, Index rows, Index cols) {
  const auto map = std::make_shared<SamplingMap>(random_pattern(engine, rows, cols, 0.3));
  std::vector<Element> all{Element(map->domain())};
  for (int form = 0; form < kForms; ++form) all.push_back(random_element(engine, form, map));
  Element sum = all[1];
  for (std::size_t k = 2; k < all.size(); ++k) sum.add(k % 2 ? -0.7 : 1.3, all[k]);
  all.push_back(sum);
  Element cancelled = all[3];  // low rank with a weight of 0
  cancelled.add(-1.0, all[3]);
  cancelled.add(0.5, all[2]);
  all.push_back(cancelled);
  return all;
}

}  // namespace

TEST_CASE("block products: those of an element are its single products, of every form and count") {
  Engine engine(71);
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {1, 9}, {23, 17}, {40, 65}})
    for (const Element& x : elements(engine, rows, cols))
      for (const Index count : {1, 3, 8, 9, 19}) {
        CAPTURE(rows);
        CAPTURE(count);
        check_block(ElementOperator(x), engine, count);
      }
}

TEST_CASE("block products: those of a symmetric part are its single products, and it is symmetric") {
  Engine engine(72);
  for (const Element& x : elements(engine, 21, 21)) {
    const ElementOperator a(x);
    const SymmetricPart part(a, -1.5);
    check_block(part, engine, 5);
    std::vector<double> entries(441), whole = x.to_dense();
    part.entries(entries);
    for (std::size_t j = 0; j < 21; ++j)
      for (std::size_t i = 0; i < 21; ++i)
        CHECK(std::abs(entries[j * 21 + i] + 0.75 * (whole[j * 21 + i] + whole[i * 21 + j])) <=
              1e-11 * (1.0 + std::abs(entries[j * 21 + i])));
  }
}

}  // namespace claros::testing::block_products
