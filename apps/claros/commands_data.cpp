// SPDX-License-Identifier: BSD-3-Clause
// Commands: data before a run, predictions after it.
#include "command.hpp"

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

}  // namespace

std::vector<Command> data_theme() {
  return {
      {
          .name = "data",
          .usage = "[SPEC] [section.key=value ...] --out DIR",
          .summary = "write the data of a [data] section to files",
          .about = kAboutData,
          .options =
              {{"out", "DIR", "a new or empty folder for the files"}, {"seed", "N", "seed of the data, run.seed=N"}},
          .run = data_command,
      },
      {
          .name = "predict",
          .usage = "DIR PAIRS",
          .summary = "entries of a run's solution, by the ids of its data",
          .about = kAboutPredict,
          .options =
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
          .run = predict_command,
      },
  };
}

}  // namespace claros::cli
