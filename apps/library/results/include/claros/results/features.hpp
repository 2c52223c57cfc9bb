// SPDX-License-Identifier: BSD-3-Clause
/// @file features.hpp  The effects of features of a run on its solution.
#pragma once

#include <claros/io/features.hpp>
#include <claros/results/prediction.hpp>

#include <filesystem>
#include <string>

namespace claros {

/// Writes row_features.csv and column_features.csv to `folder`, for X = `x` and M = `m`. They hold the
/// factors that every feature adds to a row of P, or of Q (Solution::factors).
CLAROS_API void write_features(const std::filesystem::path& folder, const SideFeatures& of, const Element& m,
                               const Element& x);

/// Rows (columns) that the solution in `folder` does not have, by their features. Those that it has stay as
/// they are. Throws Error(data) for a run without features of that side, and for features that it does not
/// know.
struct Described {
  Index added = 0, present = 0;
};
CLAROS_API Described add_described(Solution& solution, const std::filesystem::path& folder, Side side,
                                   const Features& features, const std::string& where);

}  // namespace claros
