// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/shape.hpp>

namespace claros {

Index Shape::size() const noexcept {
  if (!is_product()) return rows * cols;
  Index total = 0;
  for (const Shape& block : blocks) total += block.size();
  return total;
}

std::string Shape::text() const {
  if (!is_product()) return std::to_string(rows) + " x " + std::to_string(cols);
  std::string text;
  for (const Shape& block : blocks) text += (text.empty() ? "(" : " + (") + block.text() + ")";
  return text;
}

}  // namespace claros
