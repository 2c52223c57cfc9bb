// SPDX-License-Identifier: BSD-3-Clause
// Commands: for authors of plugins and of papers.
#include "main/command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutDoctor =
    R"(
LIB.so is a file; NAME is a plugin of the catalogue (set/box, l1). Each test asks
the plugin what its interface promises (a gradient is the limit of differences of
values, a vertex minimises, a proximal step is one) at random points, from the
seed, over several shapes and settings. It runs in a child process: a crash, a
hang or an exit is a failed test, when the library is loaded as well. A failure
says what was seen, where, the likely mistake, and how to run that test alone.

  claros doctor ./my_ball.so
  claros doctor set/nuclear-ball --only diameter --seed 7
  claros doctor my_objective.so --set data=ratings.tsv
  claros doctor my_algorithm.so --with set/simplex
  claros doctor --list

Objectives get small data of the kit (observed entries, and rows with responses)
unless `data` is set. The last line is the verdict. Exit code 0: proved, what the
interface of its kind is about was tested and no test failed; 1: a test failed;
6: not proved, none failed and some of it could not be tried, with what doctor
lacks; 2: the command line is wrong; 3: the plugin cannot be loaded. With --only
the tests that it names are what is to be proved.
)";

constexpr const char* kAboutCite =
    R"(SPEC is a specification, also that in the folder of a run; NAME a component. What
they come from, and Claros itself.
)";

constexpr const char* kAboutNewPlugin =
    R"(Makes a project with a plugin of your own. KIND is objective, set, penalty,
estimator, algorithm or data; NAME is made of lower-case words joined by '-'.
What is in it builds, passes claros doctor and runs as it stands; comments that
begin with MATHEMATICS mark what to replace. A folder that exists is not touched.

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
          .summary = "prove that a plugin is what its interface says, ours or yours",
          .about = kAboutDoctor,
          .options = {{"all", "", "every plugin of the catalogue"},
                      {"list", "", "the name and the definition of every test; of one kind with a plugin"},
                      {"only", "TEST", "run this test alone; may be repeated", true},
                      {"set", "KEY=VALUE", "a parameter of the plugin, kept in every test; may be repeated",
                       true},
                      {"shape", "MxN",
                       "of the variables that sets and penalties are tried on; may be repeated", true},
                      {"with", "NAME",
                       "a set or penalty that an algorithm is tried on, such as set/simplex; may be repeated",
                       true},
                      {"seed", "N", "seed of everything random; 0 unless given"},
                      {"limit", "SECONDS", "time that a test may take; 60 unless given"},
                      {"here", "", "in this process, for a debugger: a crash ends doctor too"},
                      {"json", "", "print the results as JSON"}},
          .run = doctor_command,
      },
      {
          .name = "cite",
          .usage = "[SPEC|NAME ...]",
          .summary = "the papers behind components, and Claros itself",
          .about = kAboutCite,
          .options = {{"bibtex", "", "print BibTeX: each citation as the note of one @misc entry"}},
          .run = cite_command,
      },
      {
          .name = "new-plugin",
          .usage = "KIND NAME",
          .summary = "a project with a plugin of your own, which builds and runs at once",
          .about = kAboutNewPlugin,
          .options = {{"dir", "DIR", "the folder to make; NAME unless given"}},
          .run = new_plugin_command,
      },
  };
}

}  // namespace claros::cli
