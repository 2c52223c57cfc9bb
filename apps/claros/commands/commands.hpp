// SPDX-License-Identifier: BSD-3-Clause
/// @file commands.hpp  The themes of the table of commands, one a file, and the commands about the program.
#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace claros::cli {

std::vector<Command> catalogue_theme();
std::vector<Command> solving_theme();
std::vector<Command> grid_theme();
std::vector<Command> data_theme();
std::vector<Command> plugin_theme();
std::vector<Command> program_theme();

/// A section of help.txt, such as that of a command; empty if there is none.
std::string help_section(const std::string& name);

int help_command(const Arguments&);
int version_command(const Arguments&);

/// The page of one command, and the front page.
std::string help_page(const Command&);
std::string front_page();

}  // namespace claros::cli
