// SPDX-License-Identifier: BSD-3-Clause
/// @file eigen.hpp  Arrays of the library as Eigen's matrices. The view of a span, or of an element that may
/// change, lives as long as that object. Bind it to `const auto&` or to its own type, since a plain
/// Eigen::MatrixXd would be a copy. A constant element (a constant result, or one that is no longer than the
/// line) is copied. Data and functions in Eigen's types: eigen_problem.hpp.
#pragma once

#include <claros/element/element.hpp>
#include <claros/element/views.hpp>

#include <Eigen/Core>

#include <optional>
#include <span>

namespace claros::sdk {

using EigenVector = Eigen::Map<const Eigen::VectorXd>;
using EigenMatrix = Eigen::Map<const Eigen::MatrixXd>;

inline EigenVector eigen_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
inline Eigen::Map<Eigen::VectorXd> eigen_vector(std::span<double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
/// Column-major values, rows x cols of them.
inline EigenMatrix eigen_matrix(std::span<const double> values, Index rows, Index cols) {
  return {values.data(), rows, cols};
}
inline Eigen::Map<Eigen::MatrixXd> eigen_matrix(std::span<double> values, Index rows, Index cols) {
  return {values.data(), rows, cols};
}
/// All of x, which is made one dense array unless it is.
inline Eigen::Map<Eigen::MatrixXd> eigen_matrix(Element& x) {
  return eigen_matrix(x.dense_values(), x.shape().rows, x.shape().cols);
}

/// All entries of x, column-major.
inline Eigen::Map<Eigen::VectorXd> eigen_vector(Element& x) { return eigen_vector(x.dense_values()); }

/// Copies an element of any form.
inline Eigen::VectorXd eigen_vector(const Element& x) {
  const std::vector<double> values = x.to_dense();
  return eigen_vector(std::span(values));
}
inline Eigen::MatrixXd eigen_matrix(const Element& x) {
  const std::vector<double> values = x.to_dense();
  return eigen_matrix(std::span(values), x.shape().rows, x.shape().cols);
}

/// X = U diag(s) V'.
struct EigenFactors {
  EigenMatrix U;
  EigenVector s;
  EigenMatrix V;
};
inline EigenFactors eigen_factors(const FactorView& x) {
  return {eigen_matrix(x.U, x.rows, x.rank()), eigen_vector(x.s), eigen_matrix(x.V, x.cols, x.rank())};
}

/// A singular value decomposition that owns its arrays.
struct EigenDecomposition {
  Eigen::MatrixXd U;
  Eigen::VectorXd s;
  Eigen::MatrixXd V;
};
/// The singular value decomposition of x, from largest to smallest, if x is low-rank or 0; else empty.
inline std::optional<EigenDecomposition> eigen_factors(const Element& x) {
  Element own = x;
  const auto factors = factor_view(own);
  if (!factors) return std::nullopt;
  const auto [U, s, V] = eigen_factors(*factors);
  return EigenDecomposition{U, s, V};
}

}  // namespace claros::sdk
