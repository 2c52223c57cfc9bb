// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/pattern.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <limits>

namespace claros {

Pattern::Pattern(Index rows, Index cols, std::vector<std::int32_t> row, std::vector<std::int32_t> col)
    : rows_(rows),
      cols_(cols),
      row_start_(static_cast<std::size_t>(rows) + 1, 0),
      row_(std::move(row)),
      col_(std::move(col)) {
  constexpr Index limit = std::numeric_limits<std::int32_t>::max();
  if (rows > limit || cols > limit)
    throw Error(ErrorKind::data, "pattern", "a sparse matrix has at most 2^31 - 1 rows and columns");
  if (row_.size() != col_.size())
    throw Error(ErrorKind::data, "pattern", "as many rows as columns are needed");
  for (std::size_t e = 0; e < row_.size(); ++e) {
    const Index i = row_[e], j = col_[e];
    if (i < 0 || i >= rows || j < 0 || j >= cols)
      throw Error(ErrorKind::data, "pattern",
                  "entry " + std::to_string(e) + " at (" + std::to_string(i) + ", " + std::to_string(j) +
                      ") lies outside " + std::to_string(rows) + " x " + std::to_string(cols));
    const bool ascending = e == 0 || row_[e - 1] < i || (row_[e - 1] == i && col_[e - 1] < j);
    if (!ascending)
      throw Error(ErrorKind::data, "pattern",
                  "entry " + std::to_string(e) + " at (" + std::to_string(i) + ", " + std::to_string(j) +
                      ") does not follow the one before it",
                  "sort by row and column, each position once");
    ++row_start_[static_cast<std::size_t>(i) + 1];
  }
  for (std::size_t i = 1; i < row_start_.size(); ++i) row_start_[i] += row_start_[i - 1];
}

Index Pattern::find(Index i, Index j) const noexcept {
  const auto first = col_.begin() + row_start_[static_cast<std::size_t>(i)];
  const auto last = col_.begin() + row_start_[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(first, last, j);
  return found != last && *found == j ? found - col_.begin() : -1;
}

}  // namespace claros
