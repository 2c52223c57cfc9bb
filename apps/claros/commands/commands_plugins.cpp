// SPDX-License-Identifier: BSD-3-Clause
// Commands: for authors of plugins and of papers.
#include "commands/commands.hpp"

#include "catalogue/commands.hpp"
#include "doctor/commands.hpp"

namespace claros::cli {

std::vector<Command> plugin_theme() {
  return {
      {
          .name = "doctor",
          .usage = "[LIB.so|NAME] [--all|--list]",
          .summary = "test whether a plugin keeps the promises of its interface",
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
          .options = {{"bibtex", "", "print BibTeX, one @misc entry for each citation"}},
          .run = cite_command,
      },
      {
          .name = "new-plugin",
          .usage = "KIND NAME",
          .summary = "create a project for a plugin, which builds and runs at once",
          .options = {{"dir", "DIR", "the folder to create; default NAME"}},
          .run = new_plugin_command,
      },
  };
}

}  // namespace claros::cli
