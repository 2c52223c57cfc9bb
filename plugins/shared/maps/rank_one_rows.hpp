// SPDX-License-Identifier: BSD-3-Clause
/// @file rank_one_rows.hpp  The rows a_i and b_i of a RankOneMap, shared with its operators.
#pragma once

#include <claros/map/design.hpp>
#include <claros/map/linear_operator.hpp>
#include <shared/maps/rank_one_kernels.hpp>

#include <memory>
#include <span>
#include <vector>

namespace claros {

class RankOneRows {
 public:
  /// Dense rows of double are read where they are. Throws Error(data).
  RankOneRows(std::shared_ptr<const Design> left, std::shared_ptr<const Design> right);

  Index count() const noexcept { return count_; }
  Index left_size() const noexcept { return left_.size; }
  Index right_size() const noexcept { return symmetric_ ? left_.size : right_.size; }
  /// The rows [first, last).
  rank_one::Rows block(Index first, Index last) const;
  /// Some rows, copied.
  RankOneRows gathered(std::span<const Index> rows) const;

  static constexpr Index kBlock = 256;
  /// The division of rows for sums of arrays: at most 8 chunks of whole blocks.
  Index sum_grain() const;
  /// body(first, last) over blocks of [first, last).
  template <class Body>
  static void for_blocks(Index first, Index last, Body body) {
    for (Index i = first; i < last; i += kBlock) body(i, std::min(last, i + kBlock));
  }

 private:
  struct Side {
    Index size = 0;
    std::shared_ptr<const Design> design;
    std::vector<double> own;  ///< where the design's are no dense rows of double
    std::span<const double> values() const;
  };
  RankOneRows() = default;
  static Side side_of(std::shared_ptr<const Design> design);
  static Side gathered(const Side& side, std::span<const Index> rows);

  Side left_, right_;
  Index count_ = 0;
  bool symmetric_ = false;
};

/// sum_i c_i a_i b_i' by its products.
class RankOneOperator final : public LinearOperator {
 public:
  RankOneOperator(std::shared_ptr<const RankOneRows> rows, std::vector<double> c)
      : rows_(std::move(rows)), c_(std::move(c)) {}
  Index rows() const override { return rows_->left_size(); }
  Index cols() const override { return rows_->right_size(); }
  void apply(std::span<const double> x, std::span<double> y) const override { apply_block(x, 1, y); }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    apply_adjoint_block(y, 1, x);
  }
  void apply_block(std::span<const double> x, Index count, std::span<double> y) const override;
  void apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const override;
  void entries(std::span<double> out) const override;

 private:
  void multiply(bool adjoint, std::span<const double> x, Index count, std::span<double> y) const;

  std::shared_ptr<const RankOneRows> rows_;
  std::vector<double> c_;
};

}  // namespace claros
