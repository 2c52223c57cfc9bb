// SPDX-License-Identifier: BSD-3-Clause
// Commands: many runs, and what is made of them.
#include "main/command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutCompare =
    R"(Runs every combination of the --vary lists, one after the other, and prints a
row for each. All of them are checked, as by claros check, before the first
runs. --repeat K runs each with K seeds, from --seed on: numbers are then medians
with quartiles.

  claros compare ratings.ini --vary algorithm.step=agnostic,short \
      --vary set.radius=4,8 --repeat 3 --out steps
  claros plot steps --x seconds

A run that fails is a row; the exit code is 0 unless all failed. Ctrl-C ends
after the current step, with everything done so far kept. The folder of --out
gets <cell>/<seed>/ as claros run writes it, comparison.csv (a row a run),
comparison.json, and spec.ini.

)";

constexpr const char* kAboutTune =
    R"(Runs every value of a grid and tells the best, as a line to paste. 2^-12..2^1 is
the powers from 2^-12 to 2^1; commas separate other values. Several --over make
every combination.

  claros tune lasso.ini --over algorithm.step=2^-11..2^1
  claros tune lasso.ini --over algorithm.step=0.1,0.03,0.01 --to relative_gap=1e-6

The best has the smallest value at the end of the budget (--by final); with --to
it reached that target in the fewest passes over the data. A run that diverged,
failed, missed the target or ended with a residual above 1 is not chosen; of
several seeds the median counts.
A best value at the end of its grid is told: a better one may lie beyond it.
The exit code is 1 when no run can be chosen.

)";

constexpr const char* kAboutPath =
    R"(Solves for lambdas from max, where the solution is 0, down to ratio max, each the
same fraction of the one before, and each started from the solution before it. The
lambda is that of the penalty, whatever the specification says of it. Data are read
once.

Every lambda is solved to a relative gap of 1e-4 on the full data, or to that
residual where no gap is known, unless [stop] names another target; stop.seconds
and other budgets are those of one lambda. The path stops early where the model is
saturated: it explains more than 0.999 of the loss, or there are at least as many
columns as rows and nearly as many coefficients. --explained 1 turns that off.

  claros path lasso.ini --out lasso-path
  claros path lasso.ini --folds 10 --out lasso-path
  claros plot lasso-path --out path.svg
  claros predict lasso-path/best rows.csv

--folds K holds back each of K random parts of the rows in turn (--seed draws them)
and tells the mean loss on them with its standard error; best is the lambda of the
least, one-standard-error the largest whose mean is within one standard error of it.
Both are solved on all rows, as folders that predict takes. --select bic takes the
smallest -2 log-likelihood + support log n instead.

The column explained is 1 - f/f(0): R^2 of a squared loss, else the share of the
deviance. A lambda that ended without its target says so in a column status; the
exit code is 0 unless all failed. Ctrl-C ends after the current step, and the
lambdas that were solved are kept; the folder of --out gets them while they are
solved, so that a killed path leaves them, too.

The folder of --out gets path.csv, coefficients.mtx (a column a lambda, an
intercept being the last row), spec.ini, result.json, and best/ and
one-standard-error/ as claros run writes them.

)";

constexpr const char* kAboutPlot =
    R"(Draws what claros run --out and claros compare --out left in DIR. Of a
comparison each cell is a curve; of several seeds the median, with a band
between the quartiles, over the x that all of them cover. A COLUMN is one of
trace.csv: iteration, epoch, passes, seconds, value, gap, rank_or_support, sfo,
lo, svd, ...

Of claros path --out it draws the coefficients over lambda, or with --y error the
loss on the rows held back, with a standard error to both sides.

Needs gnuplot (the package gnuplot-nox of Debian).
)";

constexpr const char* kAboutReproduce =
    R"(Runs what is behind a figure of a paper, at full size, and leaves in DIR/KEY/FIGURE
the figure (figure.svg), its medians and verdicts (findings.md) and every run.
Without a name it lists the figures; with KEY alone it does all of that paper.
Assignments go on top of every run: a smaller problem, another step.

  claros reproduce sfz/figure1 --jobs 2
  claros reproduce sfz/figure1 --seeds 3 data.rows=60 data.cols=60

Where the experiment tunes a step, the runs for that come first, in FIGURE-tuning, on the
first seed: of steps that come equally far the fastest is taken, and the next best where one
diverges on another seed;
where it plots value - minimum, a long run on the same data stands for the minimum,
in FIGURE-reference. What is tuned, and the reference's own settings, go on top of
the assignments.

Runs that stand in the folder are taken over, when their specification, the data files that
it names, the library and the plugins in them have the same content as today: a figure that
was ended goes on where it was, more seeds make only what is missing, and a changed curve
is made alone. After every run stands about how long the rest of its part takes.

A verdict compares medians over the seeds, with each other or with a bound: it holds
where the whole 95% interval is on the paper's side, and is undecided where a run ended in
trouble. The exit code is 1 when a
finding fails.
)";

}  // namespace

std::vector<Command> grid_theme() {
  return {
      {
          .name = "compare",
          .usage = "[SPEC] [section.key=value ...] --vary section.key=a,b,c",
          .summary = "a grid of runs in one table",
          .about = std::string(kAboutCompare) + kAboutSpec,
          .options = {{"vary", "KEY=A,B,C", "values that a key takes in turn; may be given several times",
                       true},
                      {"repeat", "K", "run each with K seeds: seed, seed + 1, ..."},
                      {"out", "DIR", "keep all runs in DIR: new, empty, or of an earlier comparison"},
                      {"jobs", "J", "runs at a time; run times then compare less well"},
                      {"seed", "N", "the first seed, run.seed=N"},
                      {"json", "", "print comparison.json instead of the table"},
                      {"quiet", "", "nothing on stderr but failures and warnings"}},
          .run = compare_command,
      },
      {
          .name = "tune",
          .usage = "[SPEC] [section.key=value ...] --over section.key=2^-12..2^1",
          .summary = "the best value of a step, or of another setting",
          .about = std::string(kAboutTune) + kAboutSpec,
          .options = {{"over", "KEY=VALUES", "the grid of a key; may be given several times", true},
                      {"by",
                       "RULE",
                       "final: the smallest value at the end of the budget; the default",
                       false,
                       {"final"}},
                      {"to",
                       "KEY=X",
                       "instead: the fewest passes to value=X, gap=X, relative_gap=X or residual=X",
                       false,
                       {"value=", "gap=", "relative_gap=", "residual="}},
                      {"repeat", "K", "run each with K seeds: seed, seed + 1, ..."},
                      {"out", "DIR", "keep all runs in DIR: new, empty, or of an earlier comparison"},
                      {"jobs", "J", "runs at a time"},
                      {"seed", "N", "the first seed, run.seed=N"},
                      {"json", "", "print comparison.json and the choice instead of the table"},
                      {"quiet", "", "nothing on stderr but failures and warnings"}},
          .run = tune_command,
      },
      {
          .name = "path",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "solutions for many lambdas, and the best by cross-validation",
          .about = std::string(kAboutPath) + kAboutSpec,
          .options = {{"lambdas", "L", "how many; 100 unless given"},
                      {"ratio", "R", "the last lambda over the first; 1e-3 unless given"},
                      {"explained", "SHARE",
                       "stop where the model explains more; 0.999 unless given, 1 never stops"},
                      {"folds", "K", "cross-validation with K parts of the rows"},
                      {"select", "RULE", "bic: the least Bayesian information criterion", false, {"bic"}},
                      {"out", "DIR", "keep the path in DIR: new, empty, or of an earlier path"},
                      {"seed", "N", "the folds and the runs are drawn from it, run.seed=N"},
                      {"json", "", "print result.json instead of the table"},
                      {"quiet", "", "nothing on stderr but failures and warnings"}},
          .run = path_command,
      },
      {
          .name = "plot",
          .usage = "DIR ...",
          .summary = "curves of runs, comparisons and paths: SVG, PNG or the terminal",
          .about = kAboutPlot,
          .options = {{"x", "COLUMN", "what runs to the right; passes unless given"},
                      {"y", "COLUMN", "what runs upwards; gap unless given, of a path coefficients"},
                      {"log",
                       "AXES",
                       "logarithmic axes: x, y, xy or none; y for a gap, else none",
                       false,
                       {"x", "y", "xy", "none"}},
                      {"out", "FILE",
                       "a file that ends in .svg or .png; without it characters in the terminal"},
                      {"title", "TEXT", "above the picture"},
                      {"terminal", "", "characters in the terminal, beside --out"}},
          .run = plot_command,
      },
      {
          .name = "reproduce",
          .usage = "[KEY[/FIGURE] [section.key=value ...]]",
          .summary = "a paper's figure, and whether its findings hold",
          .about = kAboutReproduce,
          .options =
              {{"seeds", "K", "how many seeds instead of the experiment's own number"},
               {"out", "DIR", "where DIR/KEY/FIGURE is made; reproduced unless given"},
               {"papers", "DIR", "the folder of experiments instead of the program's own"},
               {"seed", "N", "the first seed, run.seed=N"},
               {"jobs", "J", "runs at a time"},
               {"redraw", "",
                "make the page and the picture from the runs that stand, whatever made them; no run is made"},
               {"quiet", "", "nothing on stderr but failures and warnings"}},
          .run = reproduce_command,
      },
  };
}

}  // namespace claros::cli
