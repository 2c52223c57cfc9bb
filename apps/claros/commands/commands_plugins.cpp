// SPDX-License-Identifier: BSD-3-Clause
// Commands: for authors of plugins and of papers.
#include "commands/commands.hpp"

#include "catalogue/commands.hpp"
#include "doctor/commands.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutDoctor =
    R"(
LIB.so is a file; NAME is a plugin of the catalogue (set/box, l1). Each test checks
one promise of the interface at random points, over several shapes and settings:
gradients agree with difference quotients, vertices minimise, proximal steps satisfy
their optimality condition. Each test runs in a child process, so a crash, a hang or
an exit is a failed test, also while the library is loaded. A failure reports what
was observed, where, the likely mistake, and the command that runs that test alone.

  claros doctor ./my_ball.so
  claros doctor set/nuclear-ball --only diameter --seed 7
  claros doctor my_objective.so --set data=ratings.tsv
  claros doctor my_algorithm.so --with set/simplex
  claros doctor --list

Objectives get small built-in data (observed entries, and rows with responses)
unless `data` is set. The last line is the verdict. Exit codes: 0 passed, the
central promises of the interface were tested and no test failed; 1 a test failed;
6 incomplete, no test failed but some could not run, and doctor says what is
missing; 2 the command line is wrong; 3 the plugin cannot be loaded. With --only the
verdict covers only the tests that are named.
)";

constexpr const char* kAboutCite =
    R"(SPEC is a specification, for example DIR/spec.ini of a run; NAME is a component.
Prints the papers that the components cite, and the citation of Claros.
)";

constexpr const char* kAboutNewPlugin =
    R"(Creates a project with a plugin of your own. KIND is objective, loss, set,
penalty, smoother, estimator, algorithm or data; NAME consists of lower-case words
joined by '-'. The project builds, passes claros doctor and runs unchanged; comments
that start with MATHEMATICS mark what to replace. An existing folder is never changed.

  claros new-plugin set my-ball
  cd my-ball
  cmake -B build && cmake --build build
  claros doctor build/claros_set_my-ball.so
  claros --plugin-path build run spec.ini
)";

}  // namespace

std::vector<Command> plugin_theme() {
  return {
      {
          .name = "doctor",
          .usage = "[LIB.so|NAME] [--all|--list]",
          .summary = "test whether a plugin keeps the promises of its interface",
          .about = kAboutDoctor,
          .options = {{"all", "", "test every plugin of the catalogue"},
                      {"list", "", "list all tests with their definitions; with a plugin, those of its kind"},
                      {"only", "TEST", "run this test alone; may be repeated", true},
                      {"set", "KEY=VALUE", "set a parameter of the plugin in every test; may be repeated",
                       true},
                      {"shape", "MxN", "shape of the variable for sets and penalties; may be repeated", true},
                      {"with", "NAME",
                       "a set or penalty for testing an algorithm, such as set/simplex; may be repeated",
                       true},
                      {"seed", "N", "seed of the random points; default 0"},
                      {"limit", "SECONDS", "time limit of a test; default 60"},
                      {"here", "", "run the tests in this process, for a debugger; a crash then ends doctor"},
                      {"json", "", "print the results as JSON"}},
          .run = doctor_command,
      },
      {
          .name = "cite",
          .usage = "[SPEC|NAME ...]",
          .summary = "print the papers behind components, and how to cite Claros",
          .about = kAboutCite,
          .options = {{"bibtex", "", "print BibTeX, one @misc entry for each citation"}},
          .run = cite_command,
      },
      {
          .name = "new-plugin",
          .usage = "KIND NAME",
          .summary = "create a project for a plugin, which builds and runs at once",
          .about = kAboutNewPlugin,
          .options = {{"dir", "DIR", "the folder to create; default NAME"}},
          .run = new_plugin_command,
      },
  };
}

}  // namespace claros::cli
