// SPDX-License-Identifier: BSD-3-Clause
// Commands: one specification: checked, run, continued.
#include "main/command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutCheck =
    R"(Says everything that run would refuse, without running: data files are read, and
estimator and algorithm start as they would in run, without a step. What run would
refuse only with --out is a warning.
What it prints of a sound specification is a specification itself, with every
default written out.

)";

constexpr const char* kAboutRun =
    R"(Solves. Progress goes to stderr when that is a terminal, the result to stdout.
Nothing is written without --out. Ctrl-C ends the run at its next step, with its
answer so far; a second one ends it at once.

)";

constexpr const char* kAboutFolder =
    R"(
The folder of --out gets spec.ini (with every default, to be run again from
anywhere), trace.csv, result.json and solution/ (Matrix Market).
)";

constexpr const char* kAboutResume =
    R"(DIR is the folder of a run with --out. The run continues from its last checkpoint
and makes the steps that it would have made, bit for bit; stop.iterations=5000 and
the like give it a new end. Refused when the specification, a plugin or the data has
changed since, with what changed. How often a run leaves checkpoints is set by
output.checkpoint (seconds) and output.checkpoint_every (steps).

)";

}  // namespace

std::vector<Command> solving_theme() {
  return {
      {
          .name = "check",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "what run would refuse, without running",
          .about = std::string(kAboutCheck) + kAboutSpec,
          .options = {{"seed", "N", "seed of the run, run.seed=N"}},
          .run = check_command,
      },
      {
          .name = "run",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "solve",
          .about = std::string(kAboutRun) + kAboutSpec + kAboutFolder,
          .options = {{"out", "DIR", "keep the run in DIR: new, empty, or of an earlier run"},
                      {"seed", "N", "seed of the run, run.seed=N"},
                      {"json", "", "print result.json instead of the summary"},
                      {"quiet", "", "no progress and no last line on stderr"}},
          .run = run_command,
      },
      {
          .name = "resume",
          .usage = "DIR [stop.key=value ...]",
          .summary = "continue a run that was stopped or killed",
          .about = kAboutResume,
          .options = {{"json", "", "print result.json instead of the summary"},
                      {"quiet", "", "no progress and no last line on stderr"}},
          .run = resume_command,
      },
  };
}

}  // namespace claros::cli
