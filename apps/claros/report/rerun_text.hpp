// SPDX-License-Identifier: BSD-3-Clause
/// @file rerun_text.hpp  A report says what a folder was made of, and by which command it is made again.
#pragma once

#include "report/report_data.hpp"

#include <filesystem>
#include <string>

namespace claros::cli {

/// The bytes of a file; empty if there is none.
std::string whole_file(const std::filesystem::path& file);

/// The folder's specification as a word of a shell command.
std::string spec_word(const std::filesystem::path& folder);

/// Adds the folder's specification and `command`; nothing if it has none.
void add_specification(Report& report, const std::filesystem::path& folder, const std::string& command);

}  // namespace claros::cli
