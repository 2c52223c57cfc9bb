// SPDX-License-Identifier: BSD-3-Clause
// Commands: grids of runs, paths, plots and figures.
#include "commands/commands.hpp"

#include "grid/commands.hpp"
#include "papers/commands.hpp"
#include "plot/commands.hpp"
#include "report/commands.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutCompare =
    R"(Runs every combination of the --vary lists, --jobs at a time, and prints one row
for each. All combinations are checked, as by claros check, before the first run.
--repeat K runs each with K seeds, starting at --seed, and prints medians with
quartiles.

  claros compare ratings.ini --vary algorithm.step=agnostic,short \
      --vary set.radius=4,8 --repeat 3 --out steps
  claros plot steps --x seconds

A failed run is a row of the table; the exit code is 0 unless all runs failed.
Ctrl-C ends the grid after the current step and keeps all finished runs. The folder
of --out contains <cell>/<seed>/ as claros run writes it, comparison.csv (one row
for each run), comparison.json and spec.ini.

)";

constexpr const char* kAboutTune =
    R"(Runs every value of a grid and prints the best one as a line to paste. 2^-12..2^1
means all powers from 2^-12 to 2^1; other values are separated by commas. Several
--over run every combination.

  claros tune lasso.ini --over algorithm.step=2^-11..2^1
  claros tune lasso.ini --over algorithm.step=0.1,0.03,0.01 --to relative_gap=1e-6

The best run has the smallest value at the end of its budget (--by final). With
--to, it reached the target in the fewest passes over the data. A run that
diverged, failed, missed the target or ended with a residual above 1 is never
chosen. With several seeds the medians are compared. Claros warns if the best
value is the first or last of its grid. The exit code is 1 if no run qualifies, and
that of the first run if all ended in trouble: 5 if it diverged, 3 if a plugin failed.

)";

constexpr const char* kAboutPath =
    R"(Solves for a geometric sequence of lambdas, from max (the smallest lambda whose
solution is 0) down to ratio * max. Each run starts at the solution of the previous
lambda. The path sets the lambda of the penalty and ignores its value in the
specification. The data are read once.

Every lambda is solved to a relative gap of 1e-4 on the full data, or to a residual
of 1e-4 where no gap is known, unless [stop] sets another target, and every radius,
unless stop.gap is set, to a gap of 1e-5 f(0) if that is reached first. stop.seconds
and other budgets apply to each lambda. The path stops early when the model is
saturated: it explains more than 0.999 of the loss (--explained), or there are at
least as many columns as rows and nearly as many coefficients. If folds, a criterion
or held-out ratings choose, it goes on until lambda is below half of the best one and
three have followed it; if best is the smallest of the usual grid, a decade is added,
at most twice. --explained 1 solves the grid as it is, and so does --ratio at its end.
A warning says if best is at an end, beyond which a better one may lie.

--grid 10,1,0.1 gives the lambdas, or the radii, instead. Penalties without a max
need it: no ridge makes 0 the solution.

  claros path model.ini penalty.use=ridge --grid 10,3,1,0.3,0.1 --folds 10

  claros path lasso.ini --out lasso-path
  claros path lasso.ini --folds 10 --out lasso-path
  claros plot lasso-path --out path.svg
  claros predict lasso-path/best rows.csv

--folds K cross-validates: it holds out each of K random parts of the rows, or of
the ratings, in turn (--seed draws them) and prints the mean loss on them with its
standard error. best is the lambda with the smallest mean loss; one-standard-error is
the largest lambda whose mean loss is within one standard error of that. Both are
solved on all rows and written as folders for claros predict. --by chooses by another
number than the loss. --repeats R divides the rows R times, --stratified keeps the
shares of classes, and rows with the same objective.groups (a column or a file) stay
in one fold. --select bic minimises -2 log-likelihood + support log n instead; aic has
2 support, ebic adds 2 log C(columns, support). With a squared loss and as many columns
as rows, models of more coefficients than half the rows have no criterion: their
residuals say nothing of the noise.

With ratings that are held out (objective.test of matrix-completion) best is the
lambda with the smallest RMSE on them, or, with --by ndcg@10, that which ranks them
best: for every row the columns without training entries are ranked, and lists of 10
held against the entries that are held out (with a value from --relevant on). Then
the path also stops where the model is not saturated.

Over a set with a radius, such as nuclear-ball, without a penalty, the path goes from
the smallest radius to the largest one. Of ratings max is a bound on the nuclear norm
of the matrix that has their values, and 0 elsewhere: a larger radius changes
nothing. The column lambda of the files is then the radius.

  claros path ratings.ini objective.test=held.csv set.use=nuclear-ball --by ndcg@10

--over penalty.ratio=0.1,0.5,0.9 makes a path for each value of a second parameter,
of the penalty, the set or the smoother, each from its own max. The same folds judge
all of them; best is the best of all, one-standard-error has the value of best.

The column explained is 1 - (f - f_min) / (f_0 - f_min), where f_min is the value of
a model that fits every row, and f_0 that of a model with an intercept at most: R^2
for a squared loss, else the explained share of the deviance. The column status says
how each lambda ended.

A lambda is unfinished if one of its fits, on all rows or in a fold, missed its target
or ended in trouble. It is never chosen where another can be, and a warning counts
them. If all are unfinished, the best of them is marked (unfinished) in the table and
the files, and the exit code is 1: raise the budget or ease the target.
stop.relative_gap=0 turns the target of a path off (over a radius stop.gap=0 as well):
then a lambda is finished when its budget is used up. The exit code is that of the
first lambda if all ended in trouble (5 if it diverged), else 0.

Results are written to --out as the path grows, so an interrupted or killed path
keeps the lambdas that are solved.

Below the table the coefficients of one-standard-error, or else of best, are printed
by name. The folder of --out contains path.csv, coefficients.csv (by name),
coefficients.mtx (one column for each lambda, the intercept in the last row),
spec.ini, result.json, and best/ and one-standard-error/ as claros run writes them.

)";

constexpr const char* kAboutPlot =
    R"(Draws the results of claros run --out and claros compare --out. Each cell of a
comparison is one curve. Several seeds are drawn as their median with a band
between the quartiles, over the range of x that all of them cover. COLUMN is a
column of trace.csv: iteration, epoch, passes, seconds, value, gap,
rank_or_support, sfo, lo, svd, ...

For claros path --out it draws the coefficients over lambda. With --y error it
draws the cross-validated loss with one standard error to both sides.

With --solution it draws the solution of one run: a vector as bars or, where it is
long, as a line; a matrix as a map; a permutation as the pairs it makes; a flow
with the names of its arcs. Entries are named as the data name them, or by --names.

Needs gnuplot (Debian package gnuplot-nox), but for solutions in the terminal and
for --pixels.
)";

constexpr const char* kAboutReport =
    R"(Writes one HTML file about the folder of claros run, compare, tune, path or
reproduce, or about several runs and comparisons together: how it ended and what is
certified, curves whose axes a click changes, tables that sort, the solution, where
the time went, the specification and the versions.

  claros report lasso-run
  claros report steps --out steps.html
  claros report out/precipitation --picture out/precipitation/maps.png

The file needs no network and no other file. Without --out it is report.html in the
folder, or, of several folders, in the working directory. Its name is printed.
)";

constexpr const char* kAboutReproduce =
    R"(Makes the runs behind a figure of a paper, at full size. It writes the figure
(figure.svg), its medians and verdicts (findings.md, and numbers.json for programs),
both with their curves as one page (report.html), and every run to DIR/KEY/FIGURE.
Without an argument it lists the figures; KEY alone makes all figures of that paper,
and --all those of every paper. Figures whose data only the user has are then left
out, and named. Assignments apply to every run, for example a smaller problem or
another step, and the title, panels and curves then name them; --small takes those of
the experiment's own small version, which has no verdicts. Several figures print a line
each.

  claros reproduce sfz/figure1 --jobs 2
  claros reproduce sfz/figure1 --seeds 3 data.rows=60 data.cols=60
  claros reproduce --all --jobs 2
  claros reproduce --all --small

If the experiment tunes a step, the tuning runs come first, on the first seed, in
FIGURE-tuning. Of steps that reach the same value the fastest is chosen; a step that
diverges on another seed, or ends above its start there, is replaced by the next
best. If the figure plots value - minimum, a long run on the same data gives the
minimum, in FIGURE-reference. Tuned values and the settings of the reference
override the assignments.

Existing runs are kept if their specification, data files, library and plugins are
unchanged. So an interrupted figure continues, more seeds add only the missing runs,
and a changed curve is made alone. Each line of progress estimates the time left.

A verdict compares medians over the seeds with each other or with a bound. It holds
if the whole 95% interval is on the paper's side, and is undecided if a run ended in
trouble. With one seed it neither holds nor fails. No verdict is about seconds, which
are drawn only. The exit code is 1 if a finding fails.
)";

}  // namespace

std::vector<Command> grid_theme() {
  return {
      {
          .name = "compare",
          .usage = "[SPEC] [section.key=value ...] --vary section.key=a,b,c",
          .summary = "run a grid of settings and print one table",
          .about = std::string(kAboutCompare) + kAboutSpec,
          .options =
              {{"vary", "KEY=A,B,C", "the values of a key; may be repeated", true},
               {"repeat", "K", "run each cell with K seeds: seed, seed + 1, ..."},
               {"out", "DIR",
                "write all runs to DIR: a new or empty folder, or that of an earlier comparison"},
               {"watch", "", "keep DIR/report.html up to date, to be watched in a browser"},
               {"jobs", "J",
                "make J runs at a time; default: one for each processor. Run times are comparable with 1"},
               {"seed", "N", "the first seed, short for run.seed=N"},
               {"json", "", "print comparison.json instead of the table"},
               {"quiet", "", "print only failures and warnings on stderr"}},
          .run = compare_command,
      },
      {
          .name = "tune",
          .usage = "[SPEC] [section.key=value ...] --over section.key=2^-12..2^1",
          .summary = "find the best value of a step or another setting",
          .about = std::string(kAboutTune) + kAboutSpec,
          .options = {{"over", "KEY=VALUES", "the grid of a key; may be repeated", true},
                      {"by",
                       "RULE",
                       "the smallest at the end of the budget: final: the value, the default; test_rmse: the "
                       "RMSE on objective.test; rmse_truth: that to the truth",
                       false,
                       {"final", "test_rmse", "rmse_truth"}},
                      {"to",
                       "KEY=X",
                       "instead of --by: the fewest passes to value=X, gap=X, relative_gap=X or residual=X",
                       false,
                       {"value=", "gap=", "relative_gap=", "residual="}},
                      {"repeat", "K", "run each cell with K seeds: seed, seed + 1, ..."},
                      {"out", "DIR",
                       "write all runs to DIR: a new or empty folder, or that of an earlier comparison"},
                      {"watch", "", "keep DIR/report.html up to date, to be watched in a browser"},
                      {"jobs", "J", "make J runs at a time; default: one for each processor"},
                      {"seed", "N", "the first seed, short for run.seed=N"},
                      {"json", "", "print comparison.json and the choice instead of the table"},
                      {"quiet", "", "print only failures and warnings on stderr"}},
          .run = tune_command,
      },
      {
          .name = "path",
          .usage = "[SPEC] [section.key=value ...]",
          .summary = "solve for many lambdas and choose one by cross-validation",
          .about = std::string(kAboutPath) + kAboutSpec,
          .options =
              {{"over", "KEY=VALUES", "a second parameter: so many lambdas for each of its values"},
               {"lambdas", "L", "number of lambdas, or radii; default 100"},
               {"ratio", "R",
                "the smallest lambda divided by the largest; default 1e-3, and less if that one is chosen"},
               {"grid", "VALUES", "the lambdas, or radii: 10,20,50 or 2^3..2^8"},
               {"explained", "SHARE",
                "the model is saturated if it explains more of the loss; default 0.999, 1 never stops early"},
               {"folds", "K", "cross-validate with K parts of the rows (ratings)"},
               {"repeats", "R", "divide the rows R times; default 1"},
               {"jobs", "J", "fit J folds at a time; default: one for each processor"},
               {"stratified", "", "give every fold its share of every class"},
               {"relaxed", "", "fit the selected coefficients again, without the penalty"},
               {"by",
                "METRIC",
                "choose by loss (default), accuracy, auc, mse, mae, rmse, r2 or concordance on the rows held "
                "back; or on objective.test by test_rmse, or by precision@K, recall@K, map@K or ndcg@K of "
                "lists of K",
                false,
                {"loss", "accuracy", "auc", "mse", "mae", "rmse", "r2", "concordance", "test_rmse",
                 "precision@", "recall@", "map@", "ndcg@"}},
               {"relevant", "VALUE", "of a ranking: entries held out are relevant from this value on"},
               {"select",
                "RULE",
                "choose by an information criterion: aic, bic or ebic",
                false,
                {"aic", "bic", "ebic"}},
               {"out", "DIR", "write the path to DIR: a new or empty folder, or that of an earlier path"},
               {"watch", "", "keep DIR/report.html up to date, to be watched in a browser"},
               {"seed", "N", "seed of the folds and the runs, short for run.seed=N"},
               {"json", "", "print result.json instead of the table"},
               {"quiet", "", "print only failures and warnings on stderr"}},
          .run = path_command,
      },
      {
          .name = "plot",
          .usage = "DIR ...",
          .summary = "draw runs, comparisons and paths as SVG, PNG, PDF or in the terminal",
          .about = kAboutPlot,
          .options = {{"x", "COLUMN", "column of the horizontal axis; default passes"},
                      {"y", "COLUMN", "column of the vertical axis; default gap, for a path coefficients"},
                      {"log",
                       "AXES",
                       "logarithmic axes: x, y, xy or none; default y for a gap, else none",
                       false,
                       {"x", "y", "xy", "none"}},
                      {"out", "FILE",
                       "a file that ends in .svg, .png or .pdf; without it the terminal shows the picture"},
                      {"title", "TEXT", "title of the picture"},
                      {"terminal", "", "also show the picture in the terminal when --out is given"},
                      {"solution", "", "draw the solution of one run instead of its trace"},
                      {"names", "FILE",
                       "names of its entries, a line each or the first line of a table; implies --solution"},
                      {"factors", "", "draw the singular values of a solution in factors"},
                      {"pixels", "",
                       "write a grey picture (.png, .pgm) of one pixel an entry; .pgm implies it"},
                      {"range", "BLACK..WHITE",
                       "of --pixels: the values that are black and white, or auto; default 0..1"}},
          .run = plot_command,
      },
      {
          .name = "report",
          .usage = "DIR ...",
          .summary = "write results as one HTML page",
          .about = kAboutReport,
          .options = {{"out", "FILE", "a file that ends in .html; default DIR/report.html"},
                      {"title", "TEXT", "title of the page; default the name of the folder"},
                      {"picture", "FILE", "show this PNG, SVG or JPEG first; may be repeated", true},
                      {"against", "FILE",
                       "of one run: compare its predictions with the known values of these rows or ratings"},
                      {"quiet", "", "do not print the name of the page"}},
          .run = report_command,
      },
      {
          .name = "reproduce",
          .usage = "[KEY[/FIGURE] [section.key=value ...]]",
          .summary = "make a figure of a paper and check its findings",
          .about = kAboutReproduce,
          .options = {{"all", "", "make every figure of every paper; existing runs are kept"},
                      {"small", "", "make small versions, in seconds, to see that a figure can be made"},
                      {"seeds", "K", "number of seeds; default: that of the experiment"},
                      {"out", "DIR", "write to DIR/KEY/FIGURE; default reproduced"},
                      {"papers", "DIR", "folder of experiments; default: that of the installation"},
                      {"seed", "N", "the first seed, short for run.seed=N"},
                      {"jobs", "J", "make J runs at a time"},
                      {"redraw", "",
                       "draw the figure and write the page from existing runs, without checks and new runs"},
                      {"quiet", "", "print only failures and warnings on stderr"}},
          .run = reproduce_command,
      },
  };
}

}  // namespace claros::cli
