// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_operator.hpp  A matrix known by its products: what the spectral solvers ask of their
/// argument.
#pragma once

#include <claros/api.hpp>

#include <span>

namespace claros {

class SpreadOperator;

/// A real m x n matrix A known by its products. Spans have exactly the lengths stated and never overlap;
/// results are overwritten, not accumulated. An implementation may throw; it must not call an ARPACK solve
/// (spectral.hpp).
class CLAROS_API LinearOperator {
 public:
  virtual ~LinearOperator();
  LinearOperator() = default;
  LinearOperator(const LinearOperator&) = delete;
  LinearOperator& operator=(const LinearOperator&) = delete;

  virtual Index rows() const = 0;  ///< m
  virtual Index cols() const = 0;  ///< n

  virtual void apply(std::span<const double> x, std::span<double> y) const = 0;          ///< y = A x
  virtual void apply_adjoint(std::span<const double> y, std::span<double> x) const = 0;  ///< x = A' y

  /// Y = A X for `count` vectors, column-major (X is n x count, Y is m x count). The default is a loop.
  virtual void apply_block(std::span<const double> x, Index count, std::span<double> y) const;
  /// X = A' Y for `count` vectors, column-major (Y is m x count, X is n x count). The default is a loop.
  virtual void apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const;

  /// image <- A x - beta image and back <- A' image, image an m-vector: one Lanczos step's two products. The
  /// default makes them one after the other. An operator that makes both in one reading of its entries says
  /// so by `fuses_round_trip`; it then reads half as much.
  virtual void round_trip(std::span<const double> x, double beta, std::span<double> image,
                          std::span<double> back) const;
  virtual bool fuses_round_trip() const { return false; }

  /// All entries, column-major, into `out` (m n). The default multiplies min(m, n) unit vectors; an operator
  /// that holds its entries does better.
  virtual void entries(std::span<double> out) const;

  /// S and w of A = w S, S a matrix of which every process holds a part.
  struct Spread {
    const SpreadOperator* op = nullptr;  ///< null for other operators
    double weight = 1.0;
  };
  virtual Spread spread() const { return {}; }
};

/// A view of an m x n column-major array; the array outlives the view. Throws Error(usage) when the length of
/// `values` is not m n.
class CLAROS_API DenseOperator : public LinearOperator {
 public:
  DenseOperator(Index rows, Index cols, std::span<const double> values);
  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  void apply(std::span<const double> x, std::span<double> y) const override;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override;
  void apply_block(std::span<const double> x, Index count, std::span<double> y) const override;
  void apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const override;
  void entries(std::span<double> out) const override;

 private:
  Index rows_, cols_;
  std::span<const double> values_;
};

/// Passes everything on to another operator, which outlives it, and counts the matrix-vector products. One
/// thread at a time.
class CLAROS_API CountingOperator : public LinearOperator {
 public:
  explicit CountingOperator(const LinearOperator& wrapped) : wrapped_(wrapped) {}
  Index rows() const override { return wrapped_.rows(); }
  Index cols() const override { return wrapped_.cols(); }
  void apply(std::span<const double> x, std::span<double> y) const override;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override;
  void apply_block(std::span<const double> x, Index count, std::span<double> y) const override;
  void apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const override;
  /// Not a product: the entries count nothing.
  void entries(std::span<double> out) const override;

  Index forward() const noexcept { return forward_; }  ///< products with A
  Index adjoint() const noexcept { return adjoint_; }  ///< products with A'
  Index matvecs() const noexcept { return forward_ + adjoint_; }

 private:
  const LinearOperator& wrapped_;
  mutable Index forward_ = 0, adjoint_ = 0;
};

}  // namespace claros
