// SPDX-License-Identifier: BSD-3-Clause
/// @file sync_folder.hpp  Makes the names in a folder durable.
#pragma once

#include <filesystem>

namespace claros {

/// 0, or the errno value. Some file systems cannot sync a folder and say EINVAL: nothing is lost then.
int sync_folder(const std::filesystem::path& folder);

}  // namespace claros
