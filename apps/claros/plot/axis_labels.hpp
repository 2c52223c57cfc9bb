// SPDX-License-Identifier: BSD-3-Clause
/// @file axis_labels.hpp  The columns of a trace and the folders of runs, in words.
#pragma once

#include <string>
#include <vector>

namespace claros::cli {

/// With its unit; the name itself of a column that is not known.
std::string axis_label(const std::string& column);

/// The last parts of the paths if those differ, else the paths as written.
std::vector<std::string> folder_labels(const std::vector<std::string>& words);

}  // namespace claros::cli
