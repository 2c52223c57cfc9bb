// SPDX-License-Identifier: BSD-3-Clause
// Commands: the program itself.
#include "commands/commands.hpp"

#include "complete/commands.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutComplete =
    R"(The WORDs are those typed after claros; the last one, which may be empty, is
completed. Each line of the output is a complete word, a tab and its meaning. A word
that ends in '.', '=', '/' or ',' can be continued.

  claros complete -- run objective.use=matrix-completion objective.l

The completion scripts of bash, zsh and fish call this command.
)";

constexpr const char* kAboutHelp =
    R"(WORD is a command, a component, a section, a parameter, an option, a variable of the
environment, or a term of the glossary; all that it means are shown.

  claros help path
  claros help gap
  claros help nuclear norm
  claros help exit codes
)";

}  // namespace

std::vector<Command> program_theme() {
  return {
      {
          .name = "complete",
          .usage = "[WORD ...]",
          .summary = "complete the last word of a command line, for shells",
          .about = kAboutComplete,
          .options = {},
          .run = complete_command,
      },
      {
          .name = "help",
          .usage = "[WORD ...]",
          .summary = "explain a command, component, parameter, option or term; without a WORD all commands",
          .about = kAboutHelp,
          .options = {{"man", "DIR", "write all pages to DIR as manual pages of section 1"}},
          .run = help_command,
      },
      {
          .name = "version",
          .usage = "",
          .summary = "show the version of the library, its plugin interface and its compiler",
          .about = "",
          .options = {},
          .run = version_command,
      },
  };
}

}  // namespace claros::cli
