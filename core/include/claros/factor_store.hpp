// SPDX-License-Identifier: BSD-3-Clause
/// @file factor_store.hpp  The append-only columns that low-rank elements refer to.
#pragma once

#include <claros/api.hpp>

#include <span>
#include <vector>

namespace claros {

/// Pairs of columns (u_k in R^m, v_k in R^n). Elements share a store and keep weights of their own, so that a snapshot
/// and the difference of two iterates copy no column. A column, once appended, never changes.
class CLAROS_API FactorStore {
 public:
  FactorStore(Index rows, Index cols) : rows_(rows), cols_(cols) {}

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  Index count() const noexcept { return count_; }
  /// Appends (u, v); returns its position. Spans given out before may move.
  Index append(std::span<const double> u, std::span<const double> v);
  /// The first columns of either side, one after the other.
  std::span<const double> lefts(Index count) const { return {left_.data(), static_cast<std::size_t>(count * rows_)}; }
  std::span<const double> rights(Index count) const { return {right_.data(), static_cast<std::size_t>(count * cols_)}; }
  std::span<const double> left(Index k) const { return {left_.data() + k * rows_, static_cast<std::size_t>(rows_)}; }
  std::span<const double> right(Index k) const { return {right_.data() + k * cols_, static_cast<std::size_t>(cols_)}; }

 private:
  Index rows_, cols_, count_ = 0;
  std::vector<double> left_, right_;
};

}  // namespace claros
