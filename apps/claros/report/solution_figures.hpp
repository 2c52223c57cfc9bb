// SPDX-License-Identifier: BSD-3-Clause
/// @file solution_figures.hpp  The solution in a run folder as pictures: coefficients, singular values, a
/// map.
#pragma once

#include "report/report_data.hpp"

#include <filesystem>

namespace claros::cli {

/// Adds what the folder's solution/ shows; nothing if the run kept none. Throws Error(data) if it is
/// not what was written with the result.
void add_solution(Report& report, const std::filesystem::path& folder);

}  // namespace claros::cli
