// SPDX-License-Identifier: BSD-3-Clause
/// @file armadillo_problem.hpp  Data and functions in Armadillo's types. Answers: armadillo.hpp.
#pragma once

#include <claros/io/memory_data.hpp>
#include <claros/sdk/armadillo.hpp>
#include <claros/sdk/functions.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

namespace detail {
template <class Number>
std::span<const Number> arma_span(const arma::Mat<Number>& values) {
  return {values.memptr(), static_cast<std::size_t>(values.n_elem)};
}
/// to <- made. Throws Error(usage) unless that has the entries of the variable.
inline void write_arma(const arma::mat& made, Index rows, Index cols, std::span<double> to,
                       const std::string& what) {
  if (static_cast<Index>(made.n_rows) != rows || static_cast<Index>(made.n_cols) != cols)
    throw Error(ErrorKind::usage, "",
                "its " + what + " is " + std::to_string(made.n_rows) + " x " + std::to_string(made.n_cols) +
                    " at a point of " + std::to_string(rows) + " x " + std::to_string(cols),
                "return one number for every entry of the variable");
  std::copy(made.begin(), made.end(), to.begin());
}
}  // namespace detail

/// Rows of a linear model, n x p, and n responses. Copied. Throws Error(data) for sizes that do not fit and
/// numbers that are not finite, as memory_data.hpp says.
inline std::shared_ptr<const Dataset> arma_data(const arma::mat& A, const arma::vec& y) {
  return data_from_columns(detail::arma_span(A), static_cast<Index>(A.n_rows), static_cast<Index>(A.n_cols),
                           detail::arma_span(y));
}
/// Data of sparse rows.
inline std::shared_ptr<const Dataset> arma_data(const arma::sp_mat& A, const arma::vec& y) {
  const arma::sp_mat rows = A.t();  // its columns are the rows of A
  rows.sync();
  const std::vector<Index> start(rows.col_ptrs, rows.col_ptrs + rows.n_cols + 1);
  const std::vector<std::int32_t> column(rows.row_indices, rows.row_indices + rows.n_nonzero);
  return data_from_compressed_rows(start, column, {rows.values, static_cast<std::size_t>(rows.n_nonzero)},
                                   static_cast<Index>(A.n_cols), detail::arma_span(y));
}
/// Observed entries of a matrix: those of R that are not 0, since Armadillo stores no others. (With ratings
/// of 0, data_from_triplets.)
inline std::shared_ptr<const Dataset> arma_ratings(const arma::sp_mat& R) {
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  for (auto entry = R.begin(); entry != R.end(); ++entry) {
    row.push_back(static_cast<std::int32_t>(entry.row())),
        col.push_back(static_cast<std::int32_t>(entry.col()));
    value.push_back(*entry);
  }
  return data_from_triplets(row, col, value, static_cast<Index>(R.n_rows), static_cast<Index>(R.n_cols));
}

/// f of a vector of p entries: `value` makes a number of a const arma::vec&, `gradient` a vector. A Hessian
/// product is set in what is returned.
template <class Value, class Gradient>
Function arma_function(Index p, Value value, Gradient gradient, Constants constants = {}) {
  return {.shape = Shape::vector(p),
          .value = [value](std::span<const double> x) { return static_cast<double>(value(arma_vector(x))); },
          .gradient =
              [gradient, p](std::span<const double> x, std::span<double> g) {
                const arma::vec at = arma_vector(x);
                detail::write_arma(gradient(at), p, 1, g, "gradient");
              },
          .constants = std::move(constants)};
}
/// A function of an m x n matrix.
template <class Value, class Gradient>
Function arma_matrix_function(Index m, Index n, Value value, Gradient gradient, Constants constants = {}) {
  return {
      .shape = Shape::matrix(m, n),
      .value = [value, m,
                n](std::span<const double> x) { return static_cast<double>(value(arma_matrix(x, m, n))); },
      .gradient =
          [gradient, m, n](std::span<const double> x, std::span<double> g) {
            const arma::mat at = arma_matrix(x, m, n);
            detail::write_arma(gradient(at), m, n, g, "gradient");
          },
      .constants = std::move(constants)};
}

}  // namespace claros::sdk
