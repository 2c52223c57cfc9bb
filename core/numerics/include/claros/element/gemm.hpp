// SPDX-License-Identifier: BSD-3-Clause
/// @file gemm.hpp  Products of dense matrices, column-major, by BLAS.
#pragma once

#include <claros/api.hpp>

#include <span>

namespace claros {

/// out <- A'B by BLAS, for column-major arrays whose columns have `rows` > 0 numbers. The result has a number
/// for each column of A, one after the other for each column of B. The bits of a product may depend on how
/// many columns there are.
CLAROS_API void column_products(Index rows, std::span<const double> A, std::span<const double> B,
                                std::span<double> out);

namespace kernels {

/// An array that is read as it stands or transposed: op(A) is rows x cols.
struct Factor {
  const double* data;
  Index rows, cols;  ///< of op(A)
  bool transposed = false;
};

/// C <- a op(A) op(B) + b C, C column-major of op(A).rows x op(B).cols. If b is 0, C is not read.
CLAROS_API void multiply(double a, const Factor& A, const Factor& B, double b, double* C);

}  // namespace kernels

}  // namespace claros
