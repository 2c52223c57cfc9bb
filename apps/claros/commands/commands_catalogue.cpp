// SPDX-License-Identifier: BSD-3-Clause
// Commands: what is there to be composed.
#include "commands/commands.hpp"

#include "catalogue/commands.hpp"

namespace claros::cli {

namespace {

const Option kJson{"json", "", "print JSON, for programs"};

}  // namespace

std::vector<Command> catalogue_theme() {
  return {
      {
          .name = "list",
          .usage = "[KIND]",
          .summary = "list the components, and the plugins that cannot be used",
          .options = {kJson, {"limit", "S", "time limit for loading a library, in seconds; default 10"}},
          .run = list_command,
      },
      {
          .name = "describe",
          .usage = "[NAME]",
          .summary = "show the mathematics and the parameters of a component or section",
          .options = {kJson,
                      {"markdown", "", "print Markdown"},
                      {"out", "DIR",
                       "with --markdown and without NAME: write all pages and an index to DIR"}},
          .run = describe_command,
      },
      {
          .name = "compositions",
          .usage = "[NAME]",
          .summary = "show which components run together, and why others do not",
          .options = {kJson,
                      {"markdown", "", "print the tables as Markdown"},
                      {"run", "", "run every valid pair and report failures"}},
          .run = compositions_command,
      },
  };
}

}  // namespace claros::cli
