// SPDX-License-Identifier: BSD-3-Clause
/// @file design_entries.hpp  Sums over the stored entries of a design, in one reading.
#pragma once

#include <claros/abilities.hpp>
#include <claros/map/design_map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <variant>
#include <vector>

namespace claros::sdk {

/// Calls visit(i, j, a_ij) for the stored entries, in the order in which they lie.
template <class Visit>
void for_each_entry(const Design& design, Visit visit) {
  if (const ColumnEntries* held = design.by_columns()) {
    const Columns& columns = held->columns();
    for (Index j = 0; j < columns.count(); ++j) {
      const std::span<const double> values = columns.values(j);
      const std::span<const std::int32_t> rows = columns.rows_of(j);
      for (std::size_t e = 0; e < values.size(); ++e)
        visit(rows.empty() ? static_cast<Index>(e) : Index{rows[e]}, j, values[e]);
    }
    return;
  }
  const auto of_rows = [&](const auto& entries) {
    const auto all = entries.view();
    for (Index i = 0; i < design.rows; ++i) {
      if constexpr (requires { all.column; }) {
        const auto last = static_cast<std::size_t>(all.start[static_cast<std::size_t>(i) + 1]);
        for (auto e = static_cast<std::size_t>(all.start[static_cast<std::size_t>(i)]); e < last; ++e)
          visit(i, Index{all.column[e]}, static_cast<double>(all.value[e]));
      } else {
        const auto* row = all.data() + i * design.cols;
        for (Index j = 0; j < design.cols; ++j) visit(i, j, static_cast<double>(row[j]));
      }
    }
  };
  std::visit(of_rows, design.entries);
}

/// sum_i w_i a_ij^2 for each column j; w = 1 if there are no weights.
inline std::vector<double> column_squares(const Design& design, std::span<const double> w = {}) {
  std::vector<double> squares(static_cast<std::size_t>(design.cols), 0.0);
  for_each_entry(design, [&](Index i, Index j, double value) {
    squares[static_cast<std::size_t>(j)] +=
        (w.empty() ? 1.0 : w[static_cast<std::size_t>(i)]) * value * value;
  });
  return squares;
}

/// LossOfImage::column_curvature, for one output a row of a design. A column of zeros has the least curvature
/// of the others.
inline bool column_curvature(LossOfImage& loss, std::span<double> out) {
  const DesignMap* map = loss.map()->design_map();
  if (!map || map->outputs() > 1) return false;
  std::vector<double> d(static_cast<std::size_t>(map->size()), 0.0);
  if (const std::vector<double> at_zero(d); !loss.curvature_bound(d)) loss.image_curvature(at_zero, d);
  const std::vector<double> squares = column_squares(*map->design(), d);
  std::fill(out.begin(), out.end(), std::accumulate(d.begin(), d.end(), 0.0));  // of an intercept
  std::copy(squares.begin(), squares.end(), out.begin());
  constexpr double kApart = 1e4;
  double least = std::numeric_limits<double>::max(), most = 0.0;
  for (const double curvature : out) {
    most = std::max(most, curvature);
    if (curvature > 0.0) least = std::min(least, curvature);
  }
  std::ranges::replace(out, 0.0, least);
  return most > kApart * least && std::isfinite(most);
}

/// t_k = sum_j |a_kj x_j| for each output k of the map.
inline std::vector<double> absolute_image(const DesignMap& map, std::span<const double> x) {
  const auto K = static_cast<std::size_t>(map.outputs());
  const auto cols = static_cast<std::size_t>(map.design()->cols);
  std::vector<double> t(static_cast<std::size_t>(map.size()), 0.0);
  for_each_entry(*map.design(), [&](Index i, Index j, double value) {
    for (std::size_t k = 0; k < K; ++k)
      t[static_cast<std::size_t>(i) * K + k] += std::abs(value * x[k * cols + static_cast<std::size_t>(j)]);
  });
  if (map.has_intercept())
    for (std::size_t k = 0; k < t.size(); ++k) t[k] += std::abs(x[cols * K + k % K]);
  return t;
}

}  // namespace claros::sdk
