// SPDX-License-Identifier: BSD-3-Clause
/// @file output_columns.hpp  The columns of a map of several outputs a row, which share those of one matrix.
#pragma once

#include <claros/map/columns.hpp>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace claros {

/// The columns of A (x) I_K, or some of them, for an A of n rows that is stored once: coordinate c is column
/// column(c) of A in output(c), and the image is z_{iK+k} = sum of a_{i,column(c)} x_c over the c of output
/// k.
///
/// Sums over rows read an image output by output: K pieces of n numbers (by_output), of which the methods
/// here take one.
class CLAROS_API OutputColumns {
 public:
  /// `column` and `output` have one number a coordinate, below columns->count() and below `outputs`.
  OutputColumns(std::shared_ptr<const Columns> columns, Index outputs, std::vector<Index> column,
                std::vector<Index> output)
      : columns_(std::move(columns)),
        outputs_(outputs),
        column_(std::move(column)),
        output_(std::move(output)) {}

  const Columns& columns() const noexcept { return *columns_; }
  Index outputs() const noexcept { return outputs_; }
  /// The number of coordinates.
  Index count() const noexcept { return static_cast<Index>(column_.size()); }
  Index column(Index c) const noexcept { return column_[static_cast<std::size_t>(c)]; }
  Index output(Index c) const noexcept { return output_[static_cast<std::size_t>(c)]; }

  /// The n numbers of output k in an array by output.
  template <class T>
  std::span<T> piece(std::span<T> all, Index k) const noexcept {
    const auto n = static_cast<std::size_t>(columns_->rows());
    return all.subspan(static_cast<std::size_t>(k) * n, n);
  }
  /// <A_j, z_k> of coordinate c, j its column, k its output, and z by output.
  double dot(Index c, std::span<const double> z) const {
    return columns_->dot(column(c), piece(z, output(c)));
  }
  /// z_k <- z_k + a A_j.
  void add(Index c, double a, std::span<double> z) const { columns_->add(column(c), a, piece(z, output(c))); }

  /// z_{iK+k} at place kn + i, and back.
  std::vector<double> by_output(std::span<const double> z) const;
  std::vector<double> by_row(std::span<const double> z) const;

  /// Some coordinates, in this order; copies the columns that they have.
  std::shared_ptr<const OutputColumns> chosen(std::span<const Index> coordinates) const;

 private:
  std::shared_ptr<const Columns> columns_;
  Index outputs_;
  std::vector<Index> column_, output_;
};

}  // namespace claros
