// SPDX-License-Identifier: BSD-3-Clause
/// @file shared_library.hpp  A loaded plugin library.
#pragma once

#include <claros/plugin.hpp>

#include <filesystem>
#include <memory>

namespace claros {

/// Loads the library at the absolute path `file`, with every symbol bound at once and none shared with other
/// libraries, and never unloads it again. Throws Error(plugin) with the loader's own reason. The descriptor
/// is unchecked: only its first three members may be read.
std::shared_ptr<const ClarosPlugin> load_plugin(const std::filesystem::path& file);

}  // namespace claros
