// SPDX-License-Identifier: BSD-3-Clause
/// @file image_smoothness.hpp  How smooth a function of an image is.
#pragma once

#include <claros/map/columns.hpp>
#include <claros/map/design_map.hpp>
#include <claros/sdk/losses/largest_eigenvalue.hpp>
#include <shared/losses/image_function.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace claros::sdk {

/// ||a_i - c||^2 for each row of a map whose matrix is at hand. The centre c is the mean of the rows if
/// `centred` is set and the rows are dense, else 0.
inline std::vector<double> squared_row_norms(const LinearMap& map, bool centred) {
  std::vector<double> squares(static_cast<std::size_t>(map.size()), 0.0);
  const DesignMap* design = map.design_map();
  if (design && (!centred || design->design()->is_sparse())) return design->squared_norms();
  if (!design) {
    const auto columns = map.columns();
    for (Index j = 0; j < columns->count(); ++j) {
      const auto values = columns->values(j);
      const auto rows = columns->rows_of(j);
      const double mean =
          centred && !columns->are_sparse()
              ? std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())
              : 0.0;
      for (std::size_t e = 0; e < values.size(); ++e)
        squares[rows.empty() ? e : static_cast<std::size_t>(rows[e])] +=
            (values[e] - mean) * (values[e] - mean);
    }
    return squares;
  }
  const Design& rows = *design->design();
  std::vector<double> row(static_cast<std::size_t>(rows.cols)), mean(row.size(), 0.0);
  for (Index i = 0; i < rows.rows; ++i) {
    rows.row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) mean[j] += row[j] / static_cast<double>(rows.rows);
  }
  for (Index i = 0; i < rows.rows; ++i) {
    rows.row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j)
      squares[static_cast<std::size_t>(i)] += (row[j] - mean[j]) * (row[j] - mean[j]);
  }
  return squares;
}

/// A bound of the largest eigenvalue of A'phi''(z)A for every z, the smaller one of
///   largest_curvature() max_i ||a_i - c||^2, with any c if phi ignores shifts, else c = 0;
///   the largest eigenvalue of A'BA, B = diagonal_bound (largest_eigenvalue.hpp says how sure that is).
inline double image_smoothness_bound(const ImageFunction& phi, const MapPtr& map) {
  const std::vector<double> squares = squared_row_norms(*map, phi.ignores_shifts());
  const double of_rows = phi.largest_curvature() * *std::max_element(squares.begin(), squares.end());
  std::vector<double> bound(squares.size());
  phi.diagonal_bound(bound);
  const std::vector<double> plain = phi.ignores_shifts() ? squared_row_norms(*map, false) : squares;
  const double trace = std::inner_product(plain.begin(), plain.end(), bound.begin(), 0.0);
  return std::min(of_rows, largest_eigenvalue(map, bound, trace));
}

}  // namespace claros::sdk
