// SPDX-License-Identifier: BSD-3-Clause
/// @file read_report.hpp  Folders of runs, comparisons, reproductions and paths as reports.
#pragma once

#include "report/report_data.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// The report of the folder of one run. Throws Error(data) if it is not a folder of `claros run --out`.
Report report_of_run(const std::filesystem::path& folder, const std::string& label);
/// A folder of a comparison, or of a figure that was reproduced.
Report report_of_comparison(const std::filesystem::path& folder, const std::string& label);
Report report_of_path(const std::filesystem::path& folder, const std::string& label);
/// Runs and comparisons beside each other.
Report report_of_several(const std::vector<std::filesystem::path>& folders,
                         const std::vector<std::string>& labels);
/// The report of one folder, or of several together. Throws Error(data) that names every folder with neither
/// runs nor a path.
Report report_of(const std::vector<std::filesystem::path>& folders, const std::vector<std::string>& labels);

}  // namespace claros::cli
