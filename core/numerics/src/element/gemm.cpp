// SPDX-License-Identifier: BSD-3-Clause
#define ARMA_WARN_LEVEL 0
#include <claros/element/gemm.hpp>

#include <algorithm>
#include <armadillo>

namespace claros::kernels {

void multiply(double a, const Factor& A, const Factor& B, double b, double* C) {
  const Index m = A.rows, n = B.cols, k = A.cols;
  if (m == 0 || n == 0) return;
  if (k == 0 || a == 0.0) {
    if (b == 0.0)
      std::fill_n(C, m * n, 0.0);
    else if (b != 1.0)
      std::for_each(C, C + m * n, [b](double& c) { c *= b; });
    return;
  }
  const auto blas = [](Index i) { return static_cast<arma::blas_int>(i); };
  const char ta = A.transposed ? 'T' : 'N', tb = B.transposed ? 'T' : 'N';
  const arma::blas_int rows = blas(m), cols = blas(n), inner = blas(k), lda = blas(A.transposed ? k : m),
                       ldb = blas(B.transposed ? n : k);
  arma::blas::gemm<double>(&ta, &tb, &rows, &cols, &inner, &a, A.data, &lda, B.data, &ldb, &b, C, &rows);
}

}  // namespace claros::kernels

namespace claros {

void column_products(Index rows, std::span<const double> A, std::span<const double> B,
                     std::span<double> out) {
  const auto columns = [rows](std::span<const double> X) { return static_cast<Index>(X.size()) / rows; };
  kernels::multiply(1.0, {A.data(), columns(A), rows, true}, {B.data(), rows, columns(B)}, 0.0, out.data());
}

}  // namespace claros
