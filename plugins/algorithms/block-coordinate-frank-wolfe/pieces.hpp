// SPDX-License-Identifier: BSD-3-Clause
/// @file pieces.hpp  The parts of a variable that belong to the factors of a product.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/dense_access.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

/// The blocks of a product of spaces; for another shape, consecutive entries, column-major.
class Pieces {
 public:
  void start(const claros::Shape& whole, std::vector<claros::Shape> shapes) {
    are_blocks_ = whole.is_product();
    shapes_ = std::move(shapes);
    first_.assign(1, 0);
    for (const claros::Shape& shape : shapes_) first_.push_back(first_.back() + shape.size());
  }
  claros::Index count() const { return static_cast<claros::Index>(shapes_.size()); }
  bool are_blocks() const { return are_blocks_; }
  claros::Index first(claros::Index k) const { return first_[static_cast<std::size_t>(k)]; }
  const claros::Shape& shape(claros::Index k) const { return shapes_[static_cast<std::size_t>(k)]; }

  /// Piece k of entries that are in one array.
  template <class Value>
  std::span<Value> of(std::span<Value> entries, claros::Index k) const {
    return entries.subspan(static_cast<std::size_t>(first(k)), static_cast<std::size_t>(shape(k).size()));
  }
  claros::Element of(const claros::Element& x, claros::Index k) {
    if (are_blocks_) return x.block(k);
    const auto some = of(reader_(x), k);
    return claros::Element::dense(shape(k), {some.begin(), some.end()});
  }
  /// x_k <- (1 - gamma) x_k + gamma v.
  void blend(claros::Element& x, claros::Index k, double gamma, const claros::Element& v) {
    if (are_blocks_) return x.edit_block(k).blend(gamma, v);
    const auto entries = of(x.dense_values(), k);
    const auto corner = reader_(v);
    for (std::size_t j = 0; j < entries.size(); ++j) entries[j] += gamma * (corner[j] - entries[j]);
  }
  /// x_k <- x_k + gamma d, for entries in one array.
  void shift(claros::Element& x, claros::Index k, double gamma, std::span<const double> d) const {
    const auto entries = of(x.dense_values(), k);
    for (std::size_t j = 0; j < d.size(); ++j) entries[j] += gamma * d[j];
  }
  /// x_k <- u.
  void put(claros::Element& x, claros::Index k, const claros::Element& u) {
    if (are_blocks_) return void(x.edit_block(k) = u);
    std::ranges::copy(reader_(u), of(x.dense_values(), k).begin());
  }

 private:
  bool are_blocks_ = false;
  std::vector<claros::Shape> shapes_;
  std::vector<claros::Index> first_;
  claros::sdk::DenseReader reader_;
};
