// SPDX-License-Identifier: BSD-3-Clause
/// @file manual_page.hpp  The pages of help as manual pages of section 1.
#pragma once

#include "commands/commands.hpp"

#include <filesystem>
#include <string>

namespace claros::cli {

/// claros(1) and claros-COMMAND(1), as input of man. The text is that of help_page and front_page; nothing in
/// it depends on the machine.
std::string manual_front_page();
std::string manual_page(const Command& command);

/// Writes all of them into `folder`, which is made. Throws Error(data).
void write_manual(const std::filesystem::path& folder);

}  // namespace claros::cli
