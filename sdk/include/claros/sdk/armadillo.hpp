// SPDX-License-Identifier: BSD-3-Clause
/// @file armadillo.hpp  Arrays of the library as Armadillo's matrices, without a copy. A view lives as long
/// as what it was made from and cannot change its size. Those of constant arrays are constant: keep them so
/// (`const auto`).
#pragma once

#include <claros/element/element.hpp>
#include <claros/element/views.hpp>

#include <armadillo>

#include <span>

namespace claros::sdk {

inline arma::vec arma_vector(std::span<double> values) {
  return {values.data(), static_cast<arma::uword>(values.size()), false, true};
}
/// Armadillo has no view of constant memory: nothing writes through a constant matrix.
inline const arma::vec arma_vector(std::span<const double> values) {
  return {const_cast<double*>(values.data()), static_cast<arma::uword>(values.size()), false, true};
}
/// Column-major values, rows x cols of them.
inline arma::mat arma_matrix(std::span<double> values, Index rows, Index cols) {
  return {values.data(), static_cast<arma::uword>(rows), static_cast<arma::uword>(cols), false, true};
}
inline const arma::mat arma_matrix(std::span<const double> values, Index rows, Index cols) {
  return {const_cast<double*>(values.data()), static_cast<arma::uword>(rows), static_cast<arma::uword>(cols),
          false, true};
}
/// All of x, which is made one dense array unless it is.
inline arma::mat arma_matrix(Element& x) {
  return arma_matrix(x.dense_values(), x.shape().rows, x.shape().cols);
}

/// X = U diag(s) V'.
struct ArmaFactors {
  const arma::mat U;
  const arma::vec s;
  const arma::mat V;
};
inline ArmaFactors arma_factors(const FactorView& x) {
  return {arma_matrix(x.U, x.rows, x.rank()), arma_vector(x.s), arma_matrix(x.V, x.cols, x.rank())};
}

}  // namespace claros::sdk
