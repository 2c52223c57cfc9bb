// SPDX-License-Identifier: BSD-3-Clause
/// @file symmetric_part.hpp  The symmetric part of a square operator, which is all that symmetric matrices
/// see of it.
#pragma once

#include <claros/map/linear_operator.hpp>

#include <vector>

namespace claros {

/// factor (A + A')/2 of a square A, which outlives it: <A, X> = <(A + A')/2, X> for every symmetric X. A
/// product costs two of A's.
class SymmetricPart final : public LinearOperator {
 public:
  /// Throws Error(usage) when A is not square.
  explicit SymmetricPart(const LinearOperator& a, double factor = 1.0);
  Index rows() const override { return a_.rows(); }
  Index cols() const override { return a_.rows(); }
  void apply(std::span<const double> x, std::span<double> y) const override;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override { apply(y, x); }
  void apply_block(std::span<const double> x, Index count, std::span<double> y) const override;
  void apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const override {
    apply_block(y, count, x);
  }
  void entries(std::span<double> out) const override;

 private:
  void average(std::span<double> y) const;

  const LinearOperator& a_;
  double factor_;
  mutable std::vector<double> transposed_;
};

}  // namespace claros
