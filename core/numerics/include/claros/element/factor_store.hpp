// SPDX-License-Identifier: BSD-3-Clause
/// @file factor_store.hpp  The append-only columns that low-rank elements refer to.
#pragma once

#include <claros/api.hpp>
#include <claros/element/buffer.hpp>

#include <span>
#include <vector>

namespace claros {

/// Pairs of columns (u_k in R^m, v_k in R^n). Elements share a store and keep weights of their own, so that a
/// snapshot and the difference of two iterates copy no column. A column, once appended, never changes, so
/// stores share columns too. A copy of a store, or of columns from another, costs a reference a column.
class CLAROS_API FactorStore {
 public:
  /// One or several columns, one after the other in `array`, of which this one begins at `offset`.
  struct Column {
    Buffer array;
    Index offset = 0;
    bool same(const Column& other) const noexcept {
      return array.same_array(other.array) && offset == other.offset;
    }
  };
  struct Pair {
    Column left, right;
  };

  FactorStore(Index rows, Index cols) : rows_(rows), cols_(cols) {}
  /// The columns of `lefts` and `rights`, one after the other. Throws Error(usage) when their numbers differ.
  FactorStore(Index rows, Index cols, Buffer lefts, Buffer rights);

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  Index count() const noexcept { return static_cast<Index>(pairs_.size()); }
  const std::vector<Pair>& pairs() const noexcept { return pairs_; }
  /// Appends (u, v), copied; returns its position.
  Index append(std::span<const double> u, std::span<const double> v);
  /// ... or shared. Throws Error(usage) when a column is not in its array whole.
  Index append(Pair pair);
  /// True if pair k is pair l of another store, and not only equal to it.
  bool shares(Index k, const FactorStore& other, Index l) const noexcept;

  std::span<const double> left(Index k) const {
    return column(pairs_[static_cast<std::size_t>(k)].left, rows_);
  }
  std::span<const double> right(Index k) const {
    return column(pairs_[static_cast<std::size_t>(k)].right, cols_);
  }
  /// The first columns of either side, one after the other. Only of a store that was made of whole arrays.
  std::span<const double> lefts(Index count) const;
  std::span<const double> rights(Index count) const;

 private:
  static std::span<const double> column(const Column& c, Index length) {
    return c.array.view().subspan(static_cast<std::size_t>(c.offset), static_cast<std::size_t>(length));
  }

  Index rows_, cols_;
  std::vector<Pair> pairs_;
};

}  // namespace claros
