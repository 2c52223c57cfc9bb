// SPDX-License-Identifier: BSD-3-Clause
// Commands: check, advise, run and resume one specification.
#include "commands/commands.hpp"

#include "solve/commands.hpp"

namespace claros::cli {

std::vector<Command> solving_theme() {
  return {
      {
          .name = "check",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "report every error that run would report, without running",
          .options = {{"seed", "N", "seed, short for run.seed=N"}},
          .run = check_command,
      },
      {
          .name = "advise",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "say what a problem is, which algorithms solve it, and what a step costs",
          .options = {{"seconds", "S", "time limit for the steps of each algorithm; default 1"},
                      {"seed", "N", "seed, short for run.seed=N"},
                      {"json", "", "print JSON, for programs"}},
          .run = advise_command,
      },
      {
          .name = "run",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "solve the problem of a specification",
          .options = {{"out", "DIR",
                       "write the run to DIR: a new or empty folder, or that of an earlier run"},
                      {"folds", "K", "ratings without a penalty and a set: K folds choose lambda"},
                      {"watch", "", "keep DIR/report.html up to date, to be watched in a browser"},
                      {"seed", "N", "seed, short for run.seed=N"},
                      {"json", "", "print result.json instead of the summary"},
                      {"quiet", "", "print no progress and no last line on stderr"}},
          .run = run_command,
      },
      {
          .name = "resume",
          .usage = "DIR [stop.key=value ...]",
          .summary = "continue an interrupted or killed run",
          .options = {{"json", "", "print result.json instead of the summary"},
                      {"quiet", "", "print no progress and no last line on stderr"}},
          .run = resume_command,
      },
  };
}

}  // namespace claros::cli
