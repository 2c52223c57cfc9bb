// SPDX-License-Identifier: BSD-3-Clause
/// @file orthonormal.hpp  Random matrices with orthonormal columns.
#pragma once

#include <claros/random.hpp>

#include <cmath>
#include <numeric>
#include <vector>

namespace claros::sdk {

/// Uniform on the rows x rank matrices with orthonormal columns, column-major; rank <= rows: Gram-Schmidt,
/// twice, on a Gaussian matrix, whose Q is uniform (Stewart 1980, The efficient generation of random
/// orthogonal matrices). LAPACK's would depend on its threads and favours signs.
inline std::vector<double> random_orthonormal(Index rows, Index rank, RandomStream& stream) {
  std::vector<double> q(static_cast<std::size_t>(rows * rank));
  stream.fill_normal(q);
  const auto column = [&](Index k) { return q.begin() + k * rows; };
  const auto product = [&](Index j, Index k) {
    return std::inner_product(column(j), column(j) + rows, column(k), 0.0);
  };
  for (Index k = 0; k < rank; ++k) {
    for (Index pass = 0; pass < 2; ++pass)  // the second removes what rounding left
      for (Index j = 0; j < k; ++j) {
        const double overlap = product(j, k);
        for (Index i = 0; i < rows; ++i) column(k)[i] -= overlap * column(j)[i];
      }
    const double length = std::sqrt(product(k, k));
    for (Index i = 0; i < rows; ++i) column(k)[i] /= length;
  }
  return q;
}

}  // namespace claros::sdk
