// SPDX-License-Identifier: BSD-3-Clause
/// @file shape.hpp  The space that an element lives in.
#pragma once

#include <claros/api.hpp>

#include <string>
#include <vector>

namespace claros {

/// R^{rows x cols}; a vector has cols = 1. A product of spaces is a list of blocks, and then rows = cols = 0.
struct CLAROS_API Shape {
  Index rows = 0;
  Index cols = 0;
  std::vector<Shape> blocks;

  static Shape matrix(Index rows, Index cols) { return {rows, cols, {}}; }
  static Shape vector(Index rows) { return {rows, 1, {}}; }
  static Shape product(std::vector<Shape> blocks) { return {0, 0, std::move(blocks)}; }

  bool is_product() const noexcept { return !blocks.empty(); }
  /// The dimension of the space.
  Index size() const noexcept;
  /// "943 x 1682", or "(20 x 30) + (20 x 30)" for a product.
  std::string text() const;
  bool operator==(const Shape&) const = default;
};

}  // namespace claros
