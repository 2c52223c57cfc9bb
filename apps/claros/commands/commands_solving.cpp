// SPDX-License-Identifier: BSD-3-Clause
// Commands: check, advise, run and resume one specification.
#include "commands/commands.hpp"

#include "solve/commands.hpp"

namespace claros::cli {

const char* const kAboutSpec =
    R"(SPEC is a text file of sections with lines key = value; claros --help shows one.
Assignments section.key=value after it override the file. Without a SPEC the
assignments are the whole specification, and file names are relative to the
working directory:

  claros run objective.use=matrix-completion objective.data=ratings.txt \
      set.use=nuclear-ball set.radius=8 algorithm.use=frank-wolfe \
      stop.iterations=200

Write ./NAME for a SPEC whose name contains '='.
)";

namespace {

constexpr const char* kAboutCheck =
    R"(Reports every error that run would report, without running. It reads the data
files and starts the estimator and the algorithm, but makes no step. An error that
would stop only run --out is a warning.

For a valid specification it prints the same specification with every default
written out.

)";

constexpr const char* kAboutAdvise =
    R"(Says what the problem is (sizes, smooth, convex, separable, low rank), which algorithm
Claros takes where the specification names none, and why, what its gap or residual
proves, which other algorithms apply, and why the rest do not. Every algorithm that
applies makes a few steps on the problem, so that the cost of a step is measured there:

  passes                component gradients over their number n
  linear minimisations  calls of the linear oracle of the set
  proximal steps        of the penalty, or projections onto the set
  singular pairs        computed by spectral oracles

The cost of a step does not tell which algorithm is done first: claros compare runs
those that you name to their end.

  claros advise objective.use=linear-model objective.data=table.csv \
      penalty.use=l1 penalty.lambda=0.1*max

)";

constexpr const char* kAboutRun =
    R"(Solves the problem. The result goes to stdout, progress to stderr if that is a
terminal. Without --out no file is written. Ctrl-C ends the run after the current
step and prints the solution so far; a second Ctrl-C ends it at once, with the last
point that was measured.

)";

constexpr const char* kAboutFolder =
    R"(
The folder of --out contains spec.ini (every default written out, absolute paths),
trace.csv, result.json and solution/ (Matrix Market files).
)";

constexpr const char* kAboutResume =
    R"(DIR is the folder of a run with --out. The run continues from its last checkpoint
and makes the same steps as without the interruption, bit for bit. Settings of
[stop], such as stop.iterations=5000, give it new limits. Claros refuses to resume
if the specification, a plugin or the data changed, and says what changed. The
interval between checkpoints is output.checkpoint (seconds) or
output.checkpoint_every (steps).
)";

}  // namespace

std::vector<Command> solving_theme() {
  return {
      {
          .name = "check",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "report every error that run would report, without running",
          .about = std::string(kAboutCheck) + kAboutSpec,
          .options = {{"seed", "N", "seed, short for run.seed=N"}},
          .run = check_command,
      },
      {
          .name = "advise",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "say what a problem is, which algorithms solve it, and what a step costs",
          .about = std::string(kAboutAdvise) + kAboutSpec,
          .options = {{"seconds", "S", "time limit for the steps of each algorithm; default 1"},
                      {"seed", "N", "seed, short for run.seed=N"},
                      {"json", "", "print JSON, for programs"}},
          .run = advise_command,
      },
      {
          .name = "run",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "solve the problem of a specification",
          .about = std::string(kAboutRun) + kAboutSpec + kAboutFolder,
          .options = {{"out", "DIR",
                       "write the run to DIR: a new or empty folder, or that of an earlier run"},
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
          .about = kAboutResume,
          .options = {{"json", "", "print result.json instead of the summary"},
                      {"quiet", "", "print no progress and no last line on stderr"}},
          .run = resume_command,
      },
  };
}

}  // namespace claros::cli
