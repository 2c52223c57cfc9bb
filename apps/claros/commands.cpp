// SPDX-License-Identifier: BSD-3-Clause
#include "command.hpp"

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

constexpr const char* kAboutSpec =
    R"(SPEC is a text file of sections with key = value lines; claros --help shows one.
Assignments after it replace what it says; with all of them on the command line
no file is needed, and file names are then relative to the working directory:

  claros run objective.use=matrix-completion objective.data=ratings.txt \
      set.use=nuclear-ball set.radius=8 algorithm.use=frank-wolfe \
      stop.iterations=200

A SPEC whose own name holds '=' is written ./NAME.
)";

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

constexpr const char* kAboutFolder = R"(
The folder of --out gets spec.ini (with every default, to be run again from
anywhere), trace.csv, result.json and solution/ (Matrix Market).
)";

constexpr const char* kAboutCompare =
    R"(Runs every combination of the --vary lists, one after the other, and prints a
row for each. All of them are checked before the first runs. --repeat K runs
each with K seeds, from --seed on: numbers are then medians with quartiles.

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
failed, missed the target or ended with a residual above 1 is not chosen; of several seeds the median counts.
A best value at the end of its grid is told: a better one may lie beyond it.
The exit code is 1 when no run can be chosen.

)";

constexpr const char* kAboutPlot =
    R"(Draws what claros run --out and claros compare --out left in DIR. Of a
comparison each cell is a curve; of several seeds the median, with a band
between the quartiles, over the x that all of them cover. A COLUMN is one of
trace.csv: iteration, epoch, passes, seconds, value, gap, rank_or_support, sfo,
lo, svd, ...

Needs gnuplot (the package gnuplot-nox of Debian).
)";

constexpr const char* kAboutData =
    R"(A [data] section names a component that makes data in memory. This command writes
that data to files which objectives read back:

  claros data data.use=synthetic data.rank=10 --seed 3 --out example

gives example/observed.mtx and example/truth.mtx, and a run with
objective.data=observed.mtx trace.truth=truth.mtx in that folder is the run with
data.use=synthetic data.rank=10 --seed 3.
)";

constexpr const char* kAboutReproduce =
    R"(Runs what is behind a figure of a paper, at full size, and leaves in DIR/KEY/FIGURE
the figure (figure.svg), its medians and verdicts (findings.md) and every run.
Without a name it lists the figures; with KEY alone it does all of that paper.
Assignments go on top of every run: a smaller problem, another step.

  claros reproduce sfz/figure1 --jobs 2
  claros reproduce sfz/figure1 --seeds 3 data.rows=60 data.cols=60

Where the experiment tunes a step, the runs for that come first, in FIGURE-tuning;
where it plots value - minimum, a long run on the same data stands for the minimum,
in FIGURE-reference. What is tuned, and the reference's own settings, go on top of
the assignments.

A verdict compares medians over the seeds, with each other or with a bound: it holds
where the whole 95% interval is on the paper's side. The exit code is 1 when a
finding fails.
)";

constexpr const char* kAboutPredict =
    R"(DIR is the folder of a run with a solution. PAIRS, a file or - for standard input,
holds row, column on each line, in the ids of the training data; perhaps a third
column with known values, from which RMSE and MAE are told on stderr. Indices
count from 1 unless the data said zero-based. The column seen says which of the two
the training data has entries of: both, row, column or none. An id that it does not
have is predicted from the mean and the other's bias where the run was centred
(objective.center), and refused where it was not:

  echo ann,M | claros predict first - --clip training
)";

constexpr const char* kAboutDoctor = R"(
LIB.so is a file; NAME is a plugin of the catalogue (set/box, l1). Each test asks
the plugin what its interface promises (a gradient is the limit of differences of
values, a vertex minimises, a proximal step is one) at random points, from the
seed, over several shapes and settings. It runs in a child process: a crash, a
hang or an exit is a failed test, when the library is loaded as well. A failure
says what was seen, where, the likely mistake, and how to run that test alone.

  claros doctor ./my_ball.so
  claros doctor set/nuclear-ball --only diameter --seed 7
  claros doctor my_loss.so --set data=ratings.tsv
  claros doctor --list

Objectives get small data of the kit (observed entries, and rows with responses)
unless `data` is set. Exit code 0: no test failed; 1: one did; 2: the command line
is wrong; 3: the plugin cannot be loaded.
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

const Option kJson{"json", "", "print JSON, for programs"};

constexpr const char* kAboutResume =
    R"(DIR is the folder of a run with --out. The run continues from its last checkpoint
and makes the steps that it would have made, bit for bit; stop.iterations=5000 and
the like give it a new end. Refused when the specification, a plugin or the data has
changed since, with what changed. How often a run leaves checkpoints is set by
output.checkpoint (seconds) and output.checkpoint_every (steps).

)";

constexpr const char* kAboutComplete =
    R"(The WORDs are those after claros, as far as they are written; the last one, which
may be empty, is to be completed. A line of the answer is a whole word, a tab, and
what it means. Behind a word that ends in '.', '=', '/' or ',' there is more to come.

  claros complete -- run objective.use=matrix-completion objective.l

The completion of bash, zsh and fish asks this command.
)";

}  // namespace

const std::vector<Option>& common_options() {
  static const std::vector<Option> options{
      {"plugin-path", "DIR", "look for plugins in DIR first; may be given several times", true},
      {"trust", "PATH", "load a plugin, or those of a folder, whoever can change them; may be given several times", true},
      {"threads", "N", "threads of a run, run.threads=N; the result does not depend on it"},
      {"help", "", "this page, for a command or for all"},
  };
  return options;
}

const std::vector<Command>& commands() {
  static const std::vector<Command> table{
      {"list",
       "[KIND]",
       "what can be composed, and which plugins cannot be used",
       kAboutList,
       {kJson, {"limit", "S", "seconds a library may take to be loaded, 10"}},
       0,
       1,
       list},
      {"describe",
       "[NAME]",
       "what a component or a section does and what can be set",
       kAboutDescribe,
       {kJson,
        {"markdown", "", "print the page as Markdown"},
        {"out", "DIR", "with --markdown and no NAME: write a page for each, and a list, to DIR"}},
       0,
       1,
       describe},
      {"check",
       "[SPEC] [section.key=value ...]",
       "what run would refuse, without running",
       std::string(kAboutCheck) + kAboutSpec,
       {{"seed", "N", "seed of the run, run.seed=N"}},
       0,
       kAnyWords,
       check},
      {"run",
       "[SPEC] [section.key=value ...]",
       "solve",
       std::string(kAboutRun) + kAboutSpec + kAboutFolder,
       {{"out", "DIR", "keep the run in DIR: new, empty, or of an earlier run"},
        {"seed", "N", "seed of the run, run.seed=N"},
        {"json", "", "print result.json instead of the summary"},
        {"quiet", "", "no progress and no last line on stderr"}},
       0,
       kAnyWords,
       run},
      {"resume",
       "DIR [stop.key=value ...]",
       "continue a run that was stopped or killed",
       kAboutResume,
       {{"json", "", "print result.json instead of the summary"},
        {"quiet", "", "no progress and no last line on stderr"}},
       1,
       kAnyWords,
       resume},
      {"compare",
       "[SPEC] [section.key=value ...] --vary section.key=a,b,c",
       "a grid of runs in one table",
       std::string(kAboutCompare) + kAboutSpec,
       {{"vary", "KEY=A,B,C", "values that a key takes in turn; may be given several times", true},
        {"repeat", "K", "run each with K seeds: seed, seed + 1, ..."},
        {"out", "DIR", "keep all runs in DIR: new, empty, or of an earlier comparison"},
        {"jobs", "J", "runs at a time; run times then compare less well"},
        {"seed", "N", "the first seed, run.seed=N"},
        {"json", "", "print comparison.json instead of the table"},
        {"quiet", "", "nothing on stderr but failures and warnings"}},
       0,
       kAnyWords,
       compare},
      {"tune",
       "[SPEC] [section.key=value ...] --over section.key=2^-12..2^1",
       "the best value of a step, or of another setting",
       std::string(kAboutTune) + kAboutSpec,
       {{"over", "KEY=VALUES", "the grid of a key; may be given several times", true},
        {"by", "RULE", "final: the smallest value at the end of the budget; the default", false, {"final"}},
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
       0,
       kAnyWords,
       tune},
      {"plot",
       "DIR ...",
       "curves of runs and comparisons: SVG, PNG or the terminal",
       kAboutPlot,
       {{"x", "COLUMN", "what runs to the right; passes unless given"},
        {"y", "COLUMN", "what runs upwards; gap unless given"},
        {"log",
         "AXES",
         "logarithmic axes: x, y, xy or none; y for a gap, else none",
         false,
         {"x", "y", "xy", "none"}},
        {"out", "FILE", "a file that ends in .svg or .png; without it characters in the terminal"},
        {"title", "TEXT", "above the picture"},
        {"terminal", "", "characters in the terminal, beside --out"}},
       1,
       kAnyWords,
       plot},
      {"reproduce",
       "[KEY[/FIGURE] [section.key=value ...]]",
       "a paper's figure, and whether its findings hold",
       kAboutReproduce,
       {{"seeds", "K", "how many seeds instead of the experiment's own number"},
        {"out", "DIR", "where DIR/KEY/FIGURE is made; reproduced unless given"},
        {"papers", "DIR", "the folder of experiments instead of the program's own"},
        {"seed", "N", "the first seed, run.seed=N"},
        {"jobs", "J", "runs at a time"},
        {"quiet", "", "nothing on stderr but failures and warnings"}},
       0,
       kAnyWords,
       reproduce},
      {"data",
       "[SPEC] [section.key=value ...] --out DIR",
       "write the data of a [data] section to files",
       kAboutData,
       {{"out", "DIR", "a new or empty folder for the files"}, {"seed", "N", "seed of the data, run.seed=N"}},
       0,
       kAnyWords,
       data},
      {"predict",
       "DIR PAIRS",
       "entries of a run's solution, by the ids of its data",
       kAboutPredict,
       {{"out", "FILE", "write the table there instead of stdout"},
        {"clip", "LOW,HIGH|training", "bound predictions by LOW and HIGH, or by the values of the training data"},
        {"strict", "", "refuse ids that the training data has no entry of"},
        {"delimiter",
         "WORD",
         "of PAIRS: auto, tab, comma, semicolon, space, double-colon",
         false,
         {"auto", "tab", "comma", "semicolon", "space", "double-colon"}},
        {"header",
         "WORD",
         "whether the first line of PAIRS names columns: auto, yes, no",
         false,
         {"auto", "yes", "no"}}},
       2,
       2,
       predict},
      {"doctor",
       "[LIB.so|NAME] [--all|--list]",
       "prove that a plugin is what its interface says, ours or yours",
       kAboutDoctor,
       {{"all", "", "every plugin of the catalogue"},
        {"list", "", "the name and the definition of every test; of one kind with a plugin"},
        {"only", "TEST", "run this test alone; may be repeated", true},
        {"set", "KEY=VALUE", "a parameter of the plugin, kept in every test; may be repeated", true},
        {"shape", "MxN", "of the variables that sets and penalties are tried on; may be repeated", true},
        {"seed", "N", "seed of everything random; 0 unless given"},
        {"limit", "SECONDS", "time that a test may take; 60 unless given"},
        {"here", "", "in this process, for a debugger: a crash ends doctor too"},
        {"json", "", "print the results as JSON"}},
       0,
       1,
       doctor},
      {"cite",
       "[SPEC|NAME ...]",
       "the papers behind components, and Claros itself",
       kAboutCite,
       {{"bibtex", "", "print BibTeX: each citation as the note of one @misc entry"}},
       0,
       kAnyWords,
       cite},
      {"new-plugin",
       "KIND NAME",
       "a project with a plugin of your own, which builds and runs at once",
       kAboutNewPlugin,
       {{"dir", "DIR", "the folder to make; NAME unless given"}},
       2,
       2,
       new_plugin},
      {"complete",
       "[WORD ...]",
       "what the last word of a command line may become, for shells",
       kAboutComplete,
       {},
       0,
       kAnyWords,
       complete},
      {"help",
       "[COMMAND]",
       "this page, or that of a command",
       "",
       {{"man", "DIR", "write all pages to DIR instead, as manual pages of section 1"}},
       0,
       1,
       help},
      {"version", "", "version of the library, its plugin interface and its compiler", "", {}, 0, 0, version},
  };
  return table;
}

const Command& command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& c : commands()) {
    if (c.name == name) return c;
    names.push_back(c.name);
  }
  std::string remedy = did_you_mean(name, names);
  if (remedy.empty()) {
    remedy = "the commands are";
    for (const std::string& known : names) remedy += ' ' + known;
  }
  throw Error(ErrorKind::usage, "'" + name + "'", "is no command", remedy);
}

}  // namespace claros::cli
