// SPDX-License-Identifier: BSD-3-Clause
/// @file tridiagonal.hpp  A few top eigenpairs of a small symmetric tridiagonal matrix, without forming the
/// rest.
#pragma once

#include <claros/api.hpp>

#include <vector>

namespace claros::detail {

/// B'B of an upper bidiagonal matrix B, scaled by 1 / scale^2 so that nothing overflows. Buffers are kept.
class BidiagonalGram {
 public:
  /// Diagonal alpha[0..k), superdiagonal beta[0..k-1).
  void assign(const std::vector<double>& alpha, const std::vector<double>& beta, Index k);

  /// The j-th largest eigenvalue of the scaled matrix (j = 0 is the largest), to rounding, by Sturm
  /// bisection.
  double eigenvalue(Index j) const;

  /// The unit eigenvector of a computed eigenvalue by the twisted factorisation; valid until the next call.
  const std::vector<double>& eigenvector(double eigenvalue);

  double scale() const noexcept { return scale_; }

 private:
  Index count_above(double x) const;

  std::vector<double> diagonal_, off_;  // off_[i] couples i and i + 1
  std::vector<double> forward_, backward_, vector_;
  double scale_ = 1.0;
};

}  // namespace claros::detail
