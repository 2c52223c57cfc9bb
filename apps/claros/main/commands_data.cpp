// SPDX-License-Identifier: BSD-3-Clause
// Commands: data before a run, predictions after it.
#include "main/command.hpp"

namespace claros::cli {

namespace {

constexpr const char* kAboutData =
    R"(A [data] section names a component that makes data in memory. This command writes
that data to files which objectives read back:

  claros data data.use=synthetic data.rank=10 --seed 3 --out example

gives example/observed.mtx and example/truth.mtx, and a run with
objective.data=observed.mtx trace.truth=truth.mtx in that folder is the run with
data.use=synthetic data.rank=10 --seed 3.
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

constexpr const char* kAboutPredict =
    R"(DIR is the folder of a run with a solution.

Of a linear model, FILE holds rows with the columns of the training data, matched by
name where both have names; it is read with the options of the run, in any format.
What is printed is what the loss says of a prediction: numbers (squared, huber,
robust), expected counts (poisson), classes with their probabilities (logistic,
multinomial) or with scores (squared-hinge). Where the rows have responses these are
known targets, from which accuracy, log loss, deviance, RMSE and the mean loss are
told on stderr; a class that the training did not have is refused:

  claros predict fit test.csv --json

Of a matrix of ratings, FILE, or - for standard input, holds row, column on each
line, in the ids of the training data; perhaps a third column with known values,
from which RMSE and MAE are told on stderr. Indices count from 1 unless the data
said zero-based. The column seen says which of the two
the training data has entries of: both, row, column or none. An id that it does not
have is predicted from the mean and the other's bias where the run was centred
(objective.center), and refused where it was not. Of a loss of counts or of two
classes entries are expected counts, or probabilities of 1:

  echo ann,M | claros predict first - --clip training
)";

}  // namespace

std::vector<Command> data_theme() {
  return {
      {
          .name = "data",
          .usage = "[SPEC] [section.key=value ...] --out DIR",
          .summary = "write the data of a [data] section to files",
          .about = kAboutData,
          .options = {{"out", "DIR", "a new or empty folder for the files"},
                      {"seed", "N", "seed of the data, run.seed=N"}},
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
          .summary = "what a run's solution predicts: rows of a linear model, entries of a matrix",
          .about = kAboutPredict,
          .options = {{"out", "FILE", "write the table there instead of stdout"},
                      {"json", "", "print JSON, with the quality where targets are known"},
                      {"response", "WHICH", "of rows: the known targets, as objective.response names them"},
                      {"no-known", "", "of rows: the responses of FILE mean nothing"},
                      {"format", "WORD", "of rows: as objective.format; auto unless it is given"},
                      {"clip", "LOW,HIGH|training",
                       "of pairs: bound predictions by LOW and HIGH, or by the values of the training data"},
                      {"strict", "", "of pairs: refuse ids that the training data has no entry of"},
                      {"delimiter",
                       "WORD",
                       "of FILE: auto, tab, comma, semicolon, space, double-colon",
                       false,
                       {"auto", "tab", "comma", "semicolon", "space", "double-colon"}},
                      {"header",
                       "WORD",
                       "whether the first line of FILE names columns: auto, yes, no",
                       false,
                       {"auto", "yes", "no"}}},
          .run = predict_command,
      },
  };
}

}  // namespace claros::cli
