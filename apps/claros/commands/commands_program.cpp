// SPDX-License-Identifier: BSD-3-Clause
// Commands: the program itself.
#include "commands/commands.hpp"

#include "complete/commands.hpp"

namespace claros::cli {

std::vector<Command> program_theme() {
  return {
      {
          .name = "complete",
          .usage = "[WORD ...]",
          .summary = "complete the last word of a command line, for shells",
          .options = {},
          .run = complete_command,
      },
      {
          .name = "help",
          .usage = "[WORD ...]",
          .summary = "explain a command, component, parameter, option or term; without a WORD all commands",
          .options = {{"man", "DIR", "write all pages to DIR as manual pages of section 1"}},
          .run = help_command,
      },
      {
          .name = "version",
          .usage = "",
          .summary = "show the version of the library, its plugin interface and its compiler",
          .options = {},
          .run = version_command,
      },
  };
}

}  // namespace claros::cli
