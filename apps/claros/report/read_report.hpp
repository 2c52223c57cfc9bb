// SPDX-License-Identifier: BSD-3-Clause
/// @file read_report.hpp  Folders of runs, comparisons, reproductions and paths as reports.
#pragma once

#include "report/report_data.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// What the folder of one run says. Throws Error(data) where it is not what `claros run --out` leaves.
Report report_of_run(const std::filesystem::path& folder, const std::string& label);
/// A folder of a comparison, or of a figure that was reproduced.
Report report_of_comparison(const std::filesystem::path& folder, const std::string& label);
Report report_of_path(const std::filesystem::path& folder, const std::string& label);
/// Runs and comparisons beside each other.
Report report_of_several(const std::vector<std::filesystem::path>& folders,
                         const std::vector<std::string>& labels);
/// Of one folder what is in it, of several all of them together. Throws Error(data) with everything that
/// holds neither runs nor a path.
Report report_of(const std::vector<std::filesystem::path>& folders, const std::vector<std::string>& labels);

}  // namespace claros::cli
