// SPDX-License-Identifier: BSD-3-Clause
// Commands: data before a run, predictions after it.
#include "commands/commands.hpp"

#include "data/commands.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutData =
    R"(A [data] section names a component that generates data in memory. This command
writes the same data to files that objectives read:

  claros data data.use=synthetic data.rank=10 --seed 3 --out example

writes example/observed.mtx and example/truth.mtx. A run in that folder with
objective.data=observed.mtx trace.truth=truth.mtx is the same, bit for bit, as the
run with data.use=synthetic data.rank=10 --seed 3.
)";

constexpr const char* kAboutConvert =
    R"(FILEs are designs in any format that objective.data reads, one after the other:
their rows become one stored design, which later runs use where it is, in memory or,
where that is too small, on disk:

  claros convert day1.svm.gz day2.svm.gz --out train.design precision=float
  claros run objective.use=linear-model objective.data=train.design ...

KEY=VALUE are options of reading, those of objective.data: format, response,
precision, storage, features, delimiter, header, ... LIBSVM text, NumPy and binary
files are read block by block in a few tens of MB; other formats one file at a time.
The file has a checksum for every chunk, which is compared when it is read.
)";

constexpr const char* kAboutRecommend =
    R"(DIR is the folder of a run of matrix-completion. For each row the columns of the
largest predictions are printed, the largest first:

  claros recommend fit --top 5 --without train.tsv --rows 17,42
  claros recommend fit --only in-stock.txt --never 50,172

--without leaves out what a row has already. Columns without an entry in the training
data are not recommended: nothing is known of them. How good such lists are says
claros predict DIR TEST --ranking 10 --without train.tsv.
)";

constexpr const char* kAboutSimilar =
    R"(DIR is the folder of a run of matrix-completion. Two columns are alike if the matrix X
of the solution, which is a prediction without its mean and biases, has columns of a
small angle there: the table shows its cosine. Likewise rows.

  claros similar fit --columns 50,172 --top 5
  claros similar fit --rows 17
)";

constexpr const char* kAboutSplit =
    R"(FILE is a list of ratings, one a line: row, column, value, perhaps a time. Its lines
go to two files as they are, with its header:

  claros split ratings.tsv --out train.tsv --held test.tsv
  claros split ratings.tsv --one-a-row --newest --out train.tsv --held last.tsv

The first holds out a fifth of the lines, drawn by the seed; the second the newest line
of every row (leave one out), by the fourth field, or the time that a header or
--columns names.
)";

constexpr const char* kAboutPredict =
    R"(DIR is the folder of a run with a solution.

Linear model: FILE contains rows with the columns of the training data, in any
format. Columns are matched by name if both files have names. The loss determines
what is printed: numbers (squared, huber, robust), expected counts (poisson),
classes with probabilities (logistic, multinomial) or with scores (squared-hinge).
If the rows have responses, stderr shows the quality of the predictions: accuracy,
log loss, deviance, RMSE and mean loss. A class that is not in the training data is
an error.

  claros predict fit test.csv --json

Matrix of ratings: each line of FILE, or of standard input for -, contains row and
column, in the ids of the training data. A third column is taken as the known
value, and stderr shows RMSE and MAE. Indices start at 1 unless the training data
is zero-based. The column seen says which of the two ids has entries in the
training data: both, row, column or none. If the run was centred
(objective.center), an id without entries gets the mean and the bias of the other
id; otherwise it is an error. A loss for counts or two classes predicts expected
counts or probabilities of 1.

  echo ann,M | claros predict first - --clip training

--new-rows NEW fits rows that come after the training, from lines of NEW like those
of the training data, before anything is predicted: the columns are held, and a new
row is fitted as each row of the training was (claros run with the nuclear norm or
its ball). A row that the training data has is fitted anew, from NEW alone. Entries
of unknown columns are left out, with a message; --strict refuses them.

Of a run with features (objective.row_features, col_features), --row-features NEW adds
rows by their features, from lines of id, feature, value; their bias is 0.

  claros predict fit pairs.csv --new-rows new.csv
  claros recommend fit --new-rows new.csv --without new.csv
)";

const Option kNewRows{"new-rows", "FILE",
                      "pairs: fit the rows of FILE first, with the columns of the solution held"},
    kNewColumns{"new-columns", "FILE", "pairs: then likewise the columns of FILE, with the rows held"},
    kRowFeatures{"row-features", "FILE", "pairs: add the rows of FILE by their features first"},
    kColumnFeatures{"column-features", "FILE", "pairs: likewise the columns of FILE"};

/// Those of a command that reads FILE, lines of row, column and more, after its own.
std::vector<Option> of_lists(std::vector<Option> own) {
  own.push_back({"delimiter",
                 "WORD",
                 "separator of FILE: auto, tab, comma, semicolon, space, double-colon, pipe",
                 false,
                 {"auto", "tab", "comma", "semicolon", "space", "double-colon", "pipe"}});
  own.push_back({"columns", "LIST",
                 "pairs: the fields of row, column, value and time: names of a header or numbers from 1; "
                 "default by the header, else the first ones"});
  own.push_back({"header",
                 "WORD",
                 "whether the first line of FILE names columns: auto, yes, no",
                 false,
                 {"auto", "yes", "no"}});
  return own;
}

}  // namespace

std::vector<Command> data_theme() {
  return {
      {
          .name = "data",
          .usage = "[SPEC] [section.key=value ...] --out DIR",
          .summary = "write generated data to files",
          .about = kAboutData,
          .options = {{"out", "DIR", "a new or empty folder for the files"},
                      {"seed", "N", "seed of the data, short for run.seed=N"}},
          .run = data_command,
      },
      {
          .name = "convert",
          .usage = "FILE... [key=value ...] --out FILE",
          .summary = "write designs as one file that is used where it is, of any size",
          .about = kAboutConvert,
          .options = {{"out", "FILE", "the design to write; it must not exist"}},
          .run = convert_command,
      },
      {
          .name = "predict",
          .usage = "DIR FILE",
          .summary = "predict rows of a linear model or entries of a matrix",
          .about = kAboutPredict,
          .options = of_lists(
              {{"out", "FILE", "write the table to FILE instead of stdout"},
               {"json", "", "print JSON, with the quality if targets are known"},
               {"response", "WHICH", "rows: column of the known targets, as in objective.response"},
               {"offset", "WHICH", "rows: column or file of the offsets, as in objective.offset"},
               {"no-known", "", "rows: ignore the responses of FILE"},
               {"format", "WORD", "rows: format of FILE, as in objective.format; default auto"},
               {"clip", "LOW,HIGH|training",
                "pairs: clip predictions to LOW..HIGH, or to the range of the training data"},
               {"strict", "", "pairs: refuse ids without entries in the training data"},
               {"ranking", "K",
                "pairs: rank the columns of each row, and hold lists of K against the pairs: precision, "
                "recall, MAP, NDCG, AUC, coverage"},
               {"relevant", "VALUE", "pairs: relevant are known values from VALUE on; default all"},
               {"without", "FILE", "pairs: do not rank the pairs of FILE, such as the training data"},
               kNewRows,
               kNewColumns,
               kRowFeatures,
               kColumnFeatures}),
          .run = predict_command,
      },
      {
          .name = "recommend",
          .usage = "DIR",
          .summary = "list the columns of the largest predictions for each row",
          .about = kAboutRecommend,
          .options = of_lists(
              {{"top", "K", "columns a row; default 10"},
               {"without", "FILE", "pairs that are not recommended, such as the training data"},
               {"rows", "IDS",
                "these rows, separated by commas, or a file with one a line; default those of --new-rows, "
                "else all with training entries"},
               {"only", "IDS", "no other columns, given likewise"},
               {"never", "IDS", "not these columns, given likewise"},
               kNewRows,
               kNewColumns,
               kRowFeatures,
               kColumnFeatures,
               {"out", "FILE", "write the table to FILE instead of stdout"},
               {"json", "", "print JSON"}}),
          .run = recommend_command,
      },
      {
          .name = "similar",
          .usage = "DIR",
          .summary = "list the columns, or rows, whose predictions are most alike",
          .about = kAboutSimilar,
          .options = {{"top", "K", "how many a column; default 10"},
                      {"columns", "IDS",
                       "those most like these columns, separated by commas, or a file of them, one a line; "
                       "default all with training entries"},
                      {"rows", "IDS", "likewise rows instead of columns"},
                      {"out", "FILE", "write the table to FILE instead of stdout"},
                      {"json", "", "print JSON"}},
          .run = similar_command,
      },
      {
          .name = "split",
          .usage = "FILE",
          .summary = "divide ratings into training and test files",
          .about = kAboutSplit,
          .options = of_lists({{"out", "FILE", "the training lines"},
                               {"held", "FILE", "the lines that are held out"},
                               {"share", "S", "hold out this share of the lines; default 0.2"},
                               {"one-a-row", "", "hold out one line of every row that has two"},
                               {"newest", "", "hold out the newest by the fourth field, instead of drawing"},
                               {"seed", "N", "seed of the draw; default 0"}}),
          .run = split_command,
      },
  };
}

}  // namespace claros::cli
