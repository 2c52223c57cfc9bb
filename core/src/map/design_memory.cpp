// SPDX-License-Identifier: BSD-3-Clause
#include <claros/map/design.hpp>
#include <claros/map/design_memory.hpp>

#include "limits.hpp"

namespace claros {

void require_memory(Index rows, Index cols, bool single, const std::string& where, const std::string& remedy) {
  const std::string text = memory_text(rows, cols, single);
  const double bytes = static_cast<double>(rows) * static_cast<double>(cols) * (single ? 4.0 : 8.0);
  expect_memory(bytes, where, "the " + text.substr(0, text.find(" takes ")), remedy);
}

}  // namespace claros
