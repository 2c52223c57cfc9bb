// SPDX-License-Identifier: BSD-3-Clause
// Commands: what is there to be composed.
#include "commands/commands.hpp"

#include "catalogue/commands.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutList =
    R"(KIND is objective, loss, penalty, smoother, set, algorithm, estimator or data. Only
an objective is required. An algorithm may be left out: Claros then chooses one, and
claros advise SPEC says which and why. Plugins that cannot be used are listed last,
with the reason and the remedy. A child process loads each library first, so a library
that crashes, hangs or exits is reported by its file name and the others are still
listed.
)";

constexpr const char* kAboutDescribe =
    R"(NAME is a component (nuclear-ball, set/nuclear-ball or an alias) or a section of
a specification (stop, trace, ...). The page shows its mathematics, its source, its
parameters, and an example section to paste.

  claros describe --markdown --out pages

writes one page for every component and section, and an index.
)";

constexpr const char* kAboutCompositions =
    R"(Tables of the pairs that run together: estimators with algorithms, objectives with
estimators, and sets, penalties and smoothers with algorithms. For the other pairs
the reason is given. Claros computes the tables: it composes and starts every pair
on a tiny problem, as claros check does, and adds the other components that the two
need. NAME selects one component, also one of your own:

  claros compositions saga
  claros compositions my-set --plugin-path build

--run makes some steps with every valid pair; the exit code is 1 if one fails.
)";

const Option kJson{"json", "", "print JSON, for programs"};

}  // namespace

std::vector<Command> catalogue_theme() {
  return {
      {
          .name = "list",
          .usage = "[KIND]",
          .summary = "list the components, and the plugins that cannot be used",
          .about = kAboutList,
          .options = {kJson, {"limit", "S", "time limit for loading a library, in seconds; default 10"}},
          .run = list_command,
      },
      {
          .name = "describe",
          .usage = "[NAME]",
          .summary = "show the mathematics and the parameters of a component or section",
          .about = kAboutDescribe,
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
          .about = kAboutCompositions,
          .options = {kJson,
                      {"markdown", "", "print the tables as Markdown"},
                      {"run", "", "run every valid pair and report failures"}},
          .run = compositions_command,
      },
  };
}

}  // namespace claros::cli
