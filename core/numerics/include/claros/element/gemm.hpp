// SPDX-License-Identifier: BSD-3-Clause
/// @file gemm.hpp  Products of small dense matrices, column-major, by BLAS.
#pragma once

#include <claros/api.hpp>

namespace claros::kernels {

/// An array that is read as it stands or transposed: op(A) is rows x cols.
struct Factor {
  const double* data;
  Index rows, cols;  ///< of op(A)
  bool transposed = false;
};

/// C <- a op(A) op(B) + b C, C column-major of op(A).rows x op(B).cols. If b is 0, C is not read.
CLAROS_API void multiply(double a, const Factor& A, const Factor& B, double b, double* C);

}  // namespace claros::kernels
