// SPDX-License-Identifier: BSD-3-Clause
/// @file eigen.hpp  Arrays of the library as Eigen's matrices, without a copy. A view lives as long as what
/// it was made from. Bind it to `const auto&` or to its own type: a plain Eigen::MatrixXd would be a copy.
#pragma once

#include <claros/element/element.hpp>
#include <claros/element/views.hpp>

#include <Eigen/Core>

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

/// X = U diag(s) V'.
struct EigenFactors {
  EigenMatrix U;
  EigenVector s;
  EigenMatrix V;
};
inline EigenFactors eigen_factors(const FactorView& x) {
  return {eigen_matrix(x.U, x.rows, x.rank()), eigen_vector(x.s), eigen_matrix(x.V, x.cols, x.rank())};
}

}  // namespace claros::sdk
