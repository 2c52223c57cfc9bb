// SPDX-License-Identifier: BSD-3-Clause
/// @file weighted_rows.hpp  The rows of a design that have a weight.
#pragma once

#include <claros/io/row_weights.hpp>
#include <claros/map/design.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// Rows with weights of the sum n and with offsets; both may be empty, for 1 and 0.
struct WeightedRows {
  std::shared_ptr<const Design> design;
  std::vector<double> weights, offsets;
  std::vector<Index> kept = {};  ///< their places in the data; empty: all of them

  Index place(Index row) const { return kept.empty() ? row : kept[at(row)]; }
  std::vector<double> of_kept(const std::vector<double>& all) const {
    if (kept.empty() || all.empty()) return all;
    std::vector<double> some;
    for (const Index i : kept) some.push_back(all[at(i)]);
    return some;
  }
};

/// A row of weight 0 is no row, and is left out. Rows on disk stay where they are, and `in_parts`, so that
/// any number of ranks has the same bits. Throws as weights_of_mean does, with `where`.
inline WeightedRows weighted_rows(std::shared_ptr<const Design> design, std::vector<double> weights,
                                  std::vector<double> offsets, const std::string& where,
                                  bool in_parts = false) {
  WeightedRows rows{std::move(design), weights_of_mean(std::move(weights), where), std::move(offsets)};
  if (in_parts || rows.design->source || std::ranges::find(rows.weights, 0.0) == rows.weights.end())
    return rows;
  for (Index i = 0; i < rows.design->rows; ++i)
    if (rows.weights[at(i)] > 0.0) rows.kept.push_back(i);
  rows.weights = weights_of_mean(rows.of_kept(rows.weights), where);
  rows.offsets = rows.of_kept(rows.offsets);
  rows.design = std::make_shared<const Design>(chosen_rows(*rows.design, rows.kept));
  return rows;
}

}  // namespace claros::sdk
