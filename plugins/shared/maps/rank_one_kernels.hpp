// SPDX-License-Identifier: BSD-3-Clause
/// @file rank_one_kernels.hpp  Loops over blocks of measurements a_i' X b_i, by the BLAS.
#pragma once

#include <claros/element/element.hpp>

#include <span>
#include <vector>

namespace claros::rank_one {

/// `count` pairs a_i in R^rows and b_i in R^cols, each side one after the other; for a symmetric map the
/// sides are one array.
struct Rows {
  const double *left = nullptr, *right = nullptr;
  Index rows = 0, cols = 0, count = 0;
  bool is_symmetric() const noexcept { return left == right; }
  Rows transposed() const noexcept { return {right, left, cols, rows, count}; }
};

/// A point X as these loops read it: sums of products where it has low rank, single entries where it has few,
/// else one array.
class Point {
 public:
  explicit Point(const Element& x);
  Point(const Point&) = delete;
  Point& operator=(const Point&) = delete;
  /// z_i <- z_i + alpha a_i' X b_i
  void add_images(double alpha, const Rows& rows, std::span<double> z) const;

  /// Few enough that reading them one by one is cheaper than products with a whole array.
  static bool are_few(const SparseForm& form, const Shape& shape);

 private:
  void take(const LowRankForm& form, double weight);
  void add_low_rank(double alpha, const Rows& rows, std::span<double> z) const;
  void add_dense(double alpha, const Rows& rows, std::span<double> z) const;
  void add_entries(double alpha, const Rows& rows, std::span<double> z) const;

  std::vector<double> left_, right_;  ///< U diag(w) and V, column-major
  Index rank_ = 0;
  Element rest_;  ///< holds what `dense_` views
  std::span<const double> dense_;
  double dense_weight_ = 1.0;
  struct Entry {
    Index row, col;
    double value;
  };
  std::vector<Entry> entries_;
};

/// g <- g + sum_i c_i a_i b_i', g rows x cols, column-major; exactly symmetric of a symmetric map where g is.
void add_adjoint(const Rows& rows, std::span<const double> c, double* g);

/// Y <- Y + sum_i c_i a_i (b_i' X), X cols x count and Y rows x count, column-major.
void add_products(const Rows& rows, std::span<const double> c, std::span<const double> x, Index count,
                  double* y);

}  // namespace claros::rank_one
