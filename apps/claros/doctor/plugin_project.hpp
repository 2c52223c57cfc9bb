// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin_project.hpp  A project with one plugin, from the templates of the installation.
#pragma once

#include <claros/error.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// Adds a complaint when `folder` exists, or when its parent folder does not.
void require_new_folder(const std::filesystem::path& folder, std::vector<Complaint>& complaints);

/// Copies the files of templates/project and templates/<kind> with @kind@, @name@ and @file@ filled in;
/// plugin.cpp becomes <name with _>.cpp, gitignore .gitignore. Everything is written to a folder beside
/// `folder` that then takes its name: there is a whole project or none. Throws Error(data).
void write_plugin_project(const std::filesystem::path& templates, Kind kind, const std::string& name,
                          const std::filesystem::path& folder);

}  // namespace claros::cli
