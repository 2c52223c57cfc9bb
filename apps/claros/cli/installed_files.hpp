// SPDX-License-Identifier: BSD-3-Clause
/// @file installed_files.hpp  The folders of files that are installed with the program.
#pragma once

#include <filesystem>

namespace claros::cli {

/// The papers' experiments: beside the program, as a rule ../share/claros/papers.
std::filesystem::path papers_folder();

/// The templates of new plugins, beside the papers' folder.
std::filesystem::path templates_folder();

}  // namespace claros::cli
