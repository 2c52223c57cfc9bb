// SPDX-License-Identifier: BSD-3-Clause
// Commands: the program itself.
#include "main/command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutComplete =
    R"(The WORDs are those after claros, as far as they are written; the last one, which
may be empty, is to be completed. A line of the answer is a whole word, a tab, and
what it means. Behind a word that ends in '.', '=', '/' or ',' there is more to come.

  claros complete -- run objective.use=matrix-completion objective.l

The completion of bash, zsh and fish asks this command.
)";

}  // namespace

std::vector<Command> program_theme() {
  return {
      {
          .name = "complete",
          .usage = "[WORD ...]",
          .summary = "what the last word of a command line may become, for shells",
          .about = kAboutComplete,
          .options = {},
          .run = complete_command,
      },
      {
          .name = "help",
          .usage = "[COMMAND]",
          .summary = "this page, or that of a command",
          .about = "",
          .options = {{"man", "DIR", "write all pages to DIR instead, as manual pages of section 1"}},
          .run = help_command,
      },
      {
          .name = "version",
          .usage = "",
          .summary = "version of the library, its plugin interface and its compiler",
          .about = "",
          .options = {},
          .run = version_command,
      },
  };
}

}  // namespace claros::cli
