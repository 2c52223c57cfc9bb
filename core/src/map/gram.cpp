// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns, by the BLAS behind Armadillo.
#include <claros/map/columns.hpp>

#include <armadillo>

#include <cmath>

namespace claros {

std::vector<double> Columns::gram(std::span<const double> w) const {
  const auto n = static_cast<arma::uword>(rows_), p = static_cast<arma::uword>(count_);
  arma::mat scaled(n, p, arma::fill::zeros);
  for (Index j = 0; j < count_; ++j) {
    const auto column = values(j);
    const auto rows = rows_of(j);
    double* to = scaled.colptr(static_cast<arma::uword>(j));
    for (std::size_t e = 0; e < column.size(); ++e) {
      const std::size_t i = sparse_ ? static_cast<std::size_t>(rows[e]) : e;
      to[i] = std::sqrt(w[i]) * column[e];
    }
  }
  const arma::mat G = scaled.t() * scaled;
  return {G.begin(), G.end()};
}

}  // namespace claros
