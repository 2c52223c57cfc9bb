// SPDX-License-Identifier: BSD-3-Clause
// Commands: what is there to be composed.
#include "main/command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutList =
    R"(KIND is objective, set, penalty, smoother, estimator, algorithm or data. Plugins
that cannot be used come last, with the reason and what to do about it. A child
process loads each library to see whether it can be: one that crashes, hangs or
exits there is told by its file, and the rest is listed.
)";

constexpr const char* kAboutDescribe =
    R"(NAME is a component (nuclear-ball, set/nuclear-ball or an alias) or a section of
a specification (stop, trace, ...): what it does, where it comes from, what can
be set, and a section to paste.

  claros describe --markdown --out pages

writes such a page for everything there is, and a list of them.
)";

constexpr const char* kAboutCompositions =
    R"(Estimators under algorithms, objectives under estimators, sets, penalties and
smoothers under algorithms: what runs, and why the rest does not. Nothing of it
is a list: each pair is composed and started on a problem of a few numbers, as
claros check does, with whatever else the two need. NAME is one component, one
of your own too:

  claros compositions saga
  claros compositions my-set --plugin-path build

--run makes some steps of each that is not refused, and ends with 1 when one fails.
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
          .options = {kJson, {"limit", "S", "seconds a library may take to be loaded, 10"}},
          .run = list_command,
      },
      {
          .name = "describe",
          .usage = "[NAME]",
          .summary = "what a component or a section does and what can be set",
          .about = kAboutDescribe,
          .options = {kJson,
                      {"markdown", "", "print the page as Markdown"},
                      {"out", "DIR",
                       "with --markdown and no NAME: write a page for each, and a list, to DIR"}},
          .run = describe_command,
      },
      {
          .name = "compositions",
          .usage = "[NAME]",
          .summary = "what composes with what, and why the rest does not",
          .about = kAboutCompositions,
          .options = {kJson,
                      {"markdown", "", "print the tables as Markdown"},
                      {"run", "", "run whatever is not refused, and tell what fails"}},
          .run = compositions_command,
      },
  };
}

}  // namespace claros::cli
