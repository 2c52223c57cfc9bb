// SPDX-License-Identifier: BSD-3-Clause
/// @file new_sides.hpp  --new-rows and --new-columns of predict and recommend.
#pragma once

#include "cli/arguments.hpp"

#include <claros/results/prediction.hpp>

#include <filesystem>
#include <vector>

namespace claros::cli {

/// Adds the rows and columns that the two options name to the solution of the run in `folder`; says so on
/// stderr. Rows come first, so that new columns may have entries of new rows. Returns the positions of the
/// new rows. Throws Error(usage) for a run that is not of the nuclear norm, Error(data).
std::vector<Index> add_new_sides(const Arguments& arguments, const std::filesystem::path& folder,
                                 Solution& solution);

}  // namespace claros::cli
