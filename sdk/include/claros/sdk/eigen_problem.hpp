// SPDX-License-Identifier: BSD-3-Clause
/// @file eigen_problem.hpp  Data and functions in Eigen's types. Answers: eigen.hpp.
#pragma once

#include <claros/io/memory_data.hpp>
#include <claros/sdk/eigen.hpp>
#include <claros/sdk/functions.hpp>

#include <Eigen/SparseCore>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros::sdk {

namespace detail {
template <class Matrix>
auto eigen_span(const Matrix& values) {
  return std::span<const typename Matrix::Scalar>(values.data(), static_cast<std::size_t>(values.size()));
}
/// Throws Error(usage) unless what a function returned has the entries of what it belongs to.
inline void require_entries(Eigen::Index rows, Eigen::Index cols, Index expected_rows, Index expected_cols,
                            const std::string& what) {
  if (rows != expected_rows || cols != expected_cols)
    throw Error(ErrorKind::usage, "",
                "its " + what + " is " + std::to_string(rows) + " x " + std::to_string(cols) +
                    " at a point of " + std::to_string(expected_rows) + " x " + std::to_string(expected_cols),
                "return one number for every entry of the variable");
}
/// to <- made.
template <class Made>
void write_eigen(const Made& made, Index rows, Index cols, std::span<double> to, const std::string& what) {
  require_entries(made.rows(), made.cols(), rows, cols, what);
  eigen_matrix(to, rows, cols) = made;
}
}  // namespace detail

/// Rows of a linear model, n x p of doubles or floats in either order, and n responses. Copied. Throws
/// Error(data) for sizes that do not fit and numbers that are not finite, as memory_data.hpp says.
template <class Rows, class Response>
std::shared_ptr<const Dataset> eigen_data(const Eigen::MatrixBase<Rows>& A,
                                          const Eigen::MatrixBase<Response>& y) {
  using Number = typename Rows::Scalar;
  const Eigen::VectorXd response = y.template cast<double>();
  const auto observed = detail::eigen_span(response);
  if constexpr (Rows::IsRowMajor || std::is_same_v<Number, float>) {
    const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = A;
    return data_from_rows(detail::eigen_span(rows), A.rows(), A.cols(), observed);
  } else {
    const Eigen::Ref<const Eigen::MatrixXd> columns = A;  // the matrix itself where it is one
    if (columns.outerStride() != columns.rows()) return eigen_data(Eigen::MatrixXd(columns), response);
    return data_from_columns({columns.data(), static_cast<std::size_t>(columns.size())}, A.rows(), A.cols(),
                             observed);
  }
}
/// Data of sparse rows.
template <class Rows, class Response>
std::shared_ptr<const Dataset> eigen_data(const Eigen::SparseMatrixBase<Rows>& A,
                                          const Eigen::MatrixBase<Response>& y) {
  Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t> rows = A;
  rows.makeCompressed();
  const Eigen::VectorXd response = y.template cast<double>();
  const auto count = static_cast<std::size_t>(rows.nonZeros());
  return data_from_compressed_rows({rows.outerIndexPtr(), static_cast<std::size_t>(rows.rows()) + 1},
                                   {rows.innerIndexPtr(), count}, {rows.valuePtr(), count}, rows.cols(),
                                   detail::eigen_span(response));
}
/// Observed entries of a matrix, those that R stores, zeros among them. Copied.
template <class Entries>
std::shared_ptr<const Dataset> eigen_ratings(const Eigen::SparseMatrixBase<Entries>& R) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t> rows = R;
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  for (std::int32_t i = 0; i < rows.outerSize(); ++i)
    for (decltype(rows)::InnerIterator entry(rows, i); entry; ++entry)
      row.push_back(i), col.push_back(entry.col()), value.push_back(entry.value());
  return data_from_triplets(row, col, value, R.rows(), R.cols());
}

/// f of a vector of p entries: `value` makes a number of a constant EigenVector, `gradient` a vector. A
/// Hessian product is set in what is returned. An expression is evaluated before the function is left; what
/// it refers to must live so long.
template <class Value, class Gradient>
Function eigen_function(Index p, Value value, Gradient gradient, Constants constants = {}) {
  return {.shape = Shape::vector(p),
          .value = [value](std::span<const double> x) { return static_cast<double>(value(eigen_vector(x))); },
          .gradient =
              [gradient, p](std::span<const double> x, std::span<double> g) {
                const EigenVector at = eigen_vector(x);
                detail::write_eigen(gradient(at), p, 1, g, "gradient");
              },
          .constants = std::move(constants)};
}
/// A function of an m x n matrix, with an EigenMatrix, and a matrix for its gradient.
template <class Value, class Gradient>
Function eigen_matrix_function(Index m, Index n, Value value, Gradient gradient, Constants constants = {}) {
  return {
      .shape = Shape::matrix(m, n),
      .value = [value, m,
                n](std::span<const double> x) { return static_cast<double>(value(eigen_matrix(x, m, n))); },
      .gradient =
          [gradient, m, n](std::span<const double> x, std::span<double> g) {
            const EigenMatrix at = eigen_matrix(x, m, n);
            detail::write_eigen(gradient(at), m, n, g, "gradient");
          },
      .constants = std::move(constants)};
}

}  // namespace claros::sdk
