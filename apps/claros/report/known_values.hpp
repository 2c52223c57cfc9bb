// SPDX-License-Identifier: BSD-3-Clause
/// @file known_values.hpp  Predictions of a run against known values: residuals, calibration, ratings by row
/// and column.
#pragma once

#include "cli/arguments.hpp"
#include "report/report_data.hpp"

#include <filesystem>
#include <string>

namespace claros::cli {

/// Adds what the run in `folder` predicts of the rows or ratings of `file`, whose values are known. Throws
/// Error(data) for a file without known values, and as claros predict.
void add_known_values(Report& report, const Arguments& arguments, const std::filesystem::path& folder,
                      const std::string& file);

}  // namespace claros::cli
