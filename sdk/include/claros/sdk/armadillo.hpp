// SPDX-License-Identifier: BSD-3-Clause
/// @file armadillo.hpp  Arrays of the library as Armadillo's matrices. The view of a span, or of an element
/// that may change, lives as long as that object and cannot change its size. Views of constant arrays are
/// constant: keep them so (`const auto`). A constant element (a constant result, or one that is no longer
/// than the line) is copied. Data and functions in Armadillo's types: armadillo_problem.hpp.
#pragma once

#include <claros/element/element.hpp>
#include <claros/element/views.hpp>

#include <armadillo>

#include <optional>
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

/// All entries of x, column-major.
inline arma::vec arma_vector(Element& x) { return arma_vector(x.dense_values()); }

/// Copies an element of any form.
inline arma::vec arma_vector(const Element& x) { return arma::vec(x.to_dense()); }
inline arma::mat arma_matrix(const Element& x) {
  const std::vector<double> values = x.to_dense();
  return {values.data(), static_cast<arma::uword>(x.shape().rows), static_cast<arma::uword>(x.shape().cols)};
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

/// A singular value decomposition that owns its arrays.
struct ArmaDecomposition {
  arma::mat U;
  arma::vec s;
  arma::mat V;
};
/// The singular value decomposition of x, from largest to smallest, if x is low-rank or 0; else empty.
inline std::optional<ArmaDecomposition> arma_factors(const Element& x) {
  Element own = x;
  const auto factors = factor_view(own);
  if (!factors) return std::nullopt;
  const ArmaFactors views = arma_factors(*factors);
  const auto copy = [](const arma::mat& view) { return arma::mat(view.memptr(), view.n_rows, view.n_cols); };
  return ArmaDecomposition{copy(views.U), copy(views.s), copy(views.V)};
}

}  // namespace claros::sdk
