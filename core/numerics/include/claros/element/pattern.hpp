// SPDX-License-Identifier: BSD-3-Clause
/// @file pattern.hpp  The positions of the entries of a sparse matrix.
#pragma once

#include <claros/api.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace claros {

/// Positions of the stored entries of an m x n matrix, by rows. Entry e lies at (row()[e], col()[e]). The
/// entries of row i are those in [row_start()[i], row_start()[i+1]), columns ascending. Shared by every
/// element on it.
class CLAROS_API Pattern {
 public:
  /// From entries sorted by (row, column), each at most once. Throws Error(data) naming the first that is
  /// not.
  Pattern(Index rows, Index cols, std::vector<std::int32_t> row, std::vector<std::int32_t> col);

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  Index entries() const noexcept { return static_cast<Index>(col_.size()); }
  std::span<const Index> row_start() const noexcept { return row_start_; }
  std::span<const std::int32_t> row() const noexcept { return row_; }
  std::span<const std::int32_t> col() const noexcept { return col_; }
  /// The entry at (i, j), or -1.
  Index find(Index i, Index j) const noexcept;

 private:
  Index rows_, cols_;
  std::vector<Index> row_start_;
  std::vector<std::int32_t> row_, col_;
};

}  // namespace claros
