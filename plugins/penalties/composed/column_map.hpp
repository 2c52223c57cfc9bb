// SPDX-License-Identifier: BSD-3-Clause
/// @file column_map.hpp  A sparse matrix that acts on the variable, or on each of its columns.
#pragma once

#include <claros/map/linear_operator.hpp>

#include <Eigen/SparseCore>

#include <span>
#include <utility>

namespace composed {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, std::ptrdiff_t>;

/// z = B x for each of `count` columns x. The transpose is stored too, so that both products read rows.
class ColumnMap final : public claros::LinearOperator {
 public:
  using Index = claros::Index;
  ColumnMap(SparseRows rows, Index count)
      : rows_(std::move(rows)), transposed_(rows_.transpose()), count_(count) {}

  Index rows() const override { return rows_.rows() * count_; }
  Index cols() const override { return rows_.cols() * count_; }
  void apply(std::span<const double> x, std::span<double> y) const override { multiply(rows_, x, y); }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    multiply(transposed_, y, x);
  }
  const SparseRows& matrix() const noexcept { return rows_; }
  const SparseRows& transposed() const noexcept { return transposed_; }
  Index count() const noexcept { return count_; }

 private:
  void multiply(const SparseRows& by, std::span<const double> x, std::span<double> y) const {
    const std::ptrdiff_t *start = by.outerIndexPtr(), *column = by.innerIndexPtr();
    const double* value = by.valuePtr();
    for (Index c = 0; c < count_; ++c) {
      const double* from = x.data() + c * by.cols();
      double* to = y.data() + c * by.rows();
      for (std::ptrdiff_t i = 0; i < by.rows(); ++i) {
        double sum = 0.0;
        for (std::ptrdiff_t k = start[i]; k < start[i + 1]; ++k) sum += value[k] * from[column[k]];
        to[i] = sum;
      }
    }
  }

  SparseRows rows_, transposed_;
  Index count_ = 1;
};

}  // namespace composed
