// SPDX-License-Identifier: BSD-3-Clause
// Commands: what is there to be composed.
#include "command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutList =
    R"(KIND is objective, set, penalty, smoother, estimator, algorithm or data. Plugins
that cannot be used come last, with the reason and what to do about it.
)";

constexpr const char* kAboutDescribe =
    R"(NAME is a component (nuclear-ball, set/nuclear-ball or an alias) or a section of
a specification (stop, trace, ...): what it does, where it comes from, what can
be set, and a section to paste.

  claros describe --markdown --out pages

writes such a page for everything there is, and a list of them.
)";

const Option kJson{"json", "", "print JSON, for programs"};

}  // namespace

std::vector<Command> catalogue_theme() {
  return {
      {
          .name = "list",
          .usage = "[KIND]",
          .summary = "what can be composed, and which plugins cannot be used",
          .about = kAboutList,
          .options =
              {kJson},
          .run = list_command,
      },
      {
          .name = "describe",
          .usage = "[NAME]",
          .summary = "what a component or a section does and what can be set",
          .about = kAboutDescribe,
          .options =
              {kJson,
               {"markdown", "", "print the page as Markdown"},
               {"out", "DIR", "with --markdown and no NAME: write a page for each, and a list, to DIR"}},
          .run = describe_command,
      },
  };
}

}  // namespace claros::cli
