// SPDX-License-Identifier: BSD-3-Clause
/// @file columns.hpp  The columns of a map's matrix, for methods that move one coordinate at a time.
#pragma once

#include <claros/api.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace claros {

class ColumnEntries;
class KeptGram;

/// An n x p matrix by columns, in double: all entries, or those that are stored. Arrays have n numbers.
/// Copies share the entries.
class CLAROS_API Columns {
 public:
  /// All entries, column-major.
  static Columns dense(Index rows, std::vector<double> values);
  /// Entries [start[j], start[j+1]) belong to column j, their rows ascending.
  static Columns sparse(Index rows, std::vector<Index> start, std::vector<std::int32_t> row,
                        std::vector<double> value);
  /// Uses values in memory that `keeper` holds. If `keeper` is null, the owner keeps them unchanged while
  /// these columns, and all that are made of them, live.
  static Columns dense(Index rows, std::span<const double> values, std::shared_ptr<const void> keeper);
  static Columns sparse(Index rows, std::span<const Index> start, std::span<const std::int32_t> row,
                        std::span<const double> value, std::shared_ptr<const void> keeper);
  /// These and a last one whose entries are 1.
  Columns with_ones() const;

  Index rows() const noexcept { return rows_; }
  Index count() const noexcept { return count_; }
  bool are_sparse() const noexcept { return sparse_; }
  Index stored() const noexcept { return static_cast<Index>(value_.size()) + (ones_ ? rows_ : 0); }
  std::span<const double> values(Index j) const noexcept {
    if (is_ones(j)) return ones_->value;
    return value_.subspan(static_cast<std::size_t>(first(j)),
                          static_cast<std::size_t>(first(j + 1) - first(j)));
  }
  /// The rows of the values if the columns are sparse; empty otherwise.
  std::span<const std::int32_t> rows_of(Index j) const noexcept {
    if (!sparse_) return {};
    if (is_ones(j)) return ones_->row;
    return row_.subspan(static_cast<std::size_t>(first(j)),
                        static_cast<std::size_t>(first(j + 1) - first(j)));
  }

  /// <A_j, c>
  double dot(Index j, std::span<const double> c) const;
  /// sum_i w_i a_ij^2
  double weighted_square(Index j, std::span<const double> w) const;
  /// z <- z + a A_j
  void add(Index j, double a, std::span<double> z) const;
  /// c_i <- c_i + a w_i a_ij: the gradient of a quadratic of the image of diagonal w, after x_j has grown by
  /// a.
  void add_weighted(Index j, double a, std::span<const double> w, std::span<double> c) const;

  /// A' diag(w) A, column-major.
  std::vector<double> gram(std::span<const double> w) const;
  /// No Gram matrix is made of more columns: it would take more than 128 MiB.
  static constexpr Index kMostForGram = 4096;
  bool has_room_for_gram() const noexcept { return count_ <= kMostForGram; }
  /// From now on the inner products of these columns are shared with others of the same design, in which
  /// their numbers are `names`.
  void share_gram(std::shared_ptr<KeptGram> kept, std::vector<Index> names);

  /// Dense columns side by side are not copied.
  Columns chosen(std::span<const Index> columns) const;

 private:
  struct Held {
    std::vector<Index> start;
    std::vector<std::int32_t> row;
    std::vector<double> value;
  };
  static Columns of_held(Index rows, Held held, bool sparse);
  void keep_rows();
  std::vector<double> sparse_gram(std::span<const double> w) const;
  bool are_side_by_side(std::span<const Index> columns) const;
  bool is_ones(Index j) const noexcept { return ones_ && j + 1 == count_; }
  Index first(Index j) const noexcept { return sparse_ ? start_[static_cast<std::size_t>(j)] : j * rows_; }

  Index rows_ = 0, count_ = 0;
  bool sparse_ = false;
  std::span<const Index> start_;
  std::span<const std::int32_t> row_;
  std::span<const double> value_;
  std::shared_ptr<const void> keeper_;
  std::shared_ptr<const Held> ones_;             ///< the last column, where with_ones() has added it
  std::shared_ptr<const ColumnEntries> by_row_;  ///< of sparse columns, for Gram matrices
  std::shared_ptr<KeptGram> kept_;
  std::vector<Index> names_;
};

}  // namespace claros
