// SPDX-License-Identifier: BSD-3-Clause
// Commands: data before a run, predictions after it.
#include "commands/commands.hpp"

#include "data/commands.hpp"

namespace claros::cli {

namespace {

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
          .options = {{"out", "DIR", "a new or empty folder for the files"},
                      {"seed", "N", "seed of the data, short for run.seed=N"}},
          .run = data_command,
      },
      {
          .name = "convert",
          .usage = "FILE... [key=value ...] --out FILE",
          .summary = "write designs as one file that is used where it is, of any size",
          .options = {{"out", "FILE", "the design to write; it must not exist"}},
          .run = convert_command,
      },
      {
          .name = "predict",
          .usage = "DIR FILE",
          .summary = "predict rows of a linear model or entries of a matrix",
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
