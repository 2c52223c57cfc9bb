// SPDX-License-Identifier: BSD-3-Clause
/// @file group_norms.hpp  The solution of a run by the groups of its penalty.
#pragma once

#include "cli/arguments.hpp"
#include "report/report_data.hpp"

#include <filesystem>

namespace claros::cli {

/// Adds the norms of the groups if the penalty of the run in `folder` has groups and the solution is a
/// vector. Does nothing if its plugin is not found.
void add_group_norms(Report& report, const Arguments& arguments, const std::filesystem::path& folder);

}  // namespace claros::cli
