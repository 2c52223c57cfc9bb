// SPDX-License-Identifier: BSD-3-Clause
#include <claros/atomic_file.hpp>
#include <claros/prediction.hpp>

#include <fmt/format.h>

#include "command.hpp"
#include "report.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace claros::cli {

int predict(const Arguments& arguments) {
  const std::filesystem::path folder = arguments.words()[0];
  const std::string& file = arguments.words()[1];
  const Catalog catalog = open_catalog(arguments);
  const Solution solution = Solution::read(folder);
  const MatrixIds ids = training_ids(catalog, folder, solution);
  const Pairs pairs = read_pairs(file, ids, arguments.get("delimiter").value_or("auto"),
                                 arguments.get("header").value_or("auto"));
  if (!pairs.header.empty() && !arguments.has("header"))
    report(file + ":1: '" + pairs.header + "' is taken for a header (--header no if it is a pair)");
  const std::vector<double> predictions = claros::predict(solution, pairs);
  const std::string table = predictions_csv(pairs, predictions);
  if (const auto target = arguments.get("out"))
    write_atomically(*target, table);
  else
    out().write(table);
  if (!pairs.known.empty()) {
    const PredictionErrors errors = prediction_errors(predictions, pairs.known);
    report(
        fmt::format("{} known values: RMSE {:.6g}, MAE {:.6g}", pairs.known.size(), errors.rmse, errors.mae));
  }
  return kDone;
}

}  // namespace claros::cli
