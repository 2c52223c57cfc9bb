// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/row_parts.hpp>

namespace claros {

std::vector<double> numbers_of_rows(const std::vector<double>& all, const std::vector<Index>& rows) {
  std::vector<double> some;
  for (const Index i : rows)
    if (!all.empty()) some.push_back(all[static_cast<std::size_t>(i)]);
  return some;
}

FoldJudge::~FoldJudge() = default;
RowParts::~RowParts() = default;

}  // namespace claros
