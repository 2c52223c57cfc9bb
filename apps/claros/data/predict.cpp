// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/json_text.hpp>
#include <claros/parameters.hpp>
#include <claros/results/fold_in.hpp>
#include <claros/results/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>

#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "data/commands.hpp"
#include "data/new_sides.hpp"
#include "data/predict_rows.hpp"
#include "data/ranking.hpp"

namespace claros::cli {

namespace {

Clip clip_of(const Arguments& arguments, const std::filesystem::path& folder, const Training& training) {
  const auto text = arguments.get("clip");
  if (!text) return {};
  if (*text == "training") {
    if (std::isnan(training.low))
      throw Error(ErrorKind::data, folder.string(), "does not contain the range of its training data",
                  "write --clip LOW,HIGH");
    return {training.low, training.high};
  }
  try {
    const std::size_t comma = std::min(text->find(','), text->size());
    const Clip clip{parse_real(text->substr(0, comma)),
                    parse_real(text->substr(std::min(comma + 1, text->size())))};
    constexpr double kInfinity = std::numeric_limits<double>::infinity();  // of one side: no bound there
    if (clip.low <= clip.high && clip.low < kInfinity && clip.high > -kInfinity) return clip;
  } catch (const Error&) {  // no two numbers
  }
  throw Error(ErrorKind::usage, "--clip",
              "expected two numbers, the lower first, or training, got '" + *text + "'", "write --clip 1,5");
}

Pairs pairs_of(const Arguments& arguments, const Training& training) {
  const std::string& file = arguments.words()[1];
  PairsOptions options = pairs_options(arguments);
  options.strict = arguments.has("strict");
  options.skips_unknown = arguments.has("ranking");
  const std::string name = file == "-" ? "standard input" : file;
  TextInput input = file == "-" ? TextInput(std::cin, name) : TextInput(file);
  Pairs pairs = read_pairs(input, training, options);
  report_header(name, pairs, arguments);
  return pairs;
}

void tell_unseen(const Training& training, const Pairs& pairs) {
  std::size_t unseen = 0;
  for (std::size_t k = 0; k < pairs.row.size(); ++k) unseen += seen(training, pairs, k) != "both";
  if (unseen)
    report(fmt::format(
        "{} of {} pairs have a row or a column without an entry in the training data (column seen)", unseen,
        pairs.row.size()));
  if (pairs.skipped > 0)
    report(fmt::format(
        "{} of {} pairs have a row or a column that is not in the training data, and are left out",
        pairs.skipped, pairs.skipped + std::ssize(pairs.row)));
}

std::string pairs_json(const Training& training, const Pairs& pairs, const std::vector<double>& predictions,
                       Json quality) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < predictions.size(); ++k) {
    Json row{{"row", pairs.row_ids[k]}, {"column", pairs.col_ids[k]}, {"prediction", predictions[k]}};
    if (!pairs.known.empty()) row["known"] = pairs.known[k];
    row["seen"] = seen(training, pairs, k);
    rows.push_back(std::move(row));
  }
  return json_text({{"rows", std::move(rows)}, {"quality", std::move(quality)}});
}

/// Predictions for entries that are counts or classes, as the loss reads them: the expected count or the
/// probability of 1.
RowPredictions made_by(const Loss& loss, const std::vector<double>& entries, const Pairs& pairs,
                       const std::string& file) {
  for (std::size_t k = 0; k < pairs.known.size(); ++k)
    if (!loss.accepts(pairs.known[k]))
      throw Error(ErrorKind::data, file,
                  "the known value of pair " + std::to_string(k + 1) + " is " + print_real(pairs.known[k]) +
                      "; the loss needs " + loss.targets(),
                  "correct the value, or leave out the column of known values");
  RowPredictions made = predictions_of(entries, pairs.known, loss);
  if (made.kind == ResponseKind::probability) {
    for (std::size_t k = 0; k < entries.size(); ++k) made.numbers[k] = made.numbers[2 * k + 1];
    made.numbers.resize(entries.size());
  }
  return made;
}

}  // namespace

int predict_command(const Arguments& arguments) {
  reserve_linear_algebra(1);
  if (!arguments.unfit().empty()) throw Error(ErrorKind::usage, arguments.unfit());
  const std::filesystem::path folder = arguments.words()[0];
  Solution solution = Solution::read(folder);
  if (has_linear_training(folder / "solution")) return predict_rows_command(arguments, folder, solution);
  for (const char* of_rows : {"response", "format", "no-known", "offset"})
    if (arguments.has(of_rows))
      throw Error(ErrorKind::usage, std::string("--") + of_rows,
                  "applies to rows of a linear model, and " + folder.string() + " holds a matrix",
                  "remove it");
  for (const char* of_lists : {"relevant", "without"})
    if (arguments.has(of_lists) && !arguments.has("ranking"))
      throw Error(ErrorKind::usage, std::string("--") + of_lists, "is about lists, and there are none",
                  "add --ranking 10, or leave it out");
  (void)add_new_sides(arguments, folder, solution);
  const Training& training = solution.training();
  const Clip clip = clip_of(arguments, folder, training);
  const Pairs pairs = pairs_of(arguments, training);
  std::vector<double> predictions = claros::predict(solution, pairs);
  // The loss says what entries mean; for values that is clear without it.
  const auto loss = loss_of_run(arguments, folder);
  RowPredictions made;
  const bool values = !loss || loss->response() == ResponseKind::value;
  if (!values) made = made_by(*loss, predictions, pairs, arguments.words()[1]), predictions = made.numbers;
  for (double& prediction : predictions) prediction = std::clamp(prediction, clip.low, clip.high);
  PredictionErrors errors;
  if (!pairs.known.empty()) errors = prediction_errors(predictions, preferences(training, pairs.known));
  Json quality = !values               ? quality_json(made)
                 : pairs.known.empty() ? Json(nullptr)
                                       : Json{{"rmse", errors.rmse}, {"mae", errors.mae}};
  std::optional<RankingQuality> ranking;
  if (arguments.has("ranking")) ranking = ranking_of(arguments, solution, pairs);
  if (ranking) quality["ranking"] = ranking_json(*ranking);
  put_predictions(arguments, arguments.has("json") ? pairs_json(training, pairs, predictions, quality)
                                                   : predictions_csv(training, pairs, predictions));
  tell_unseen(training, pairs);
  if (ranking) report(ranking_text(*ranking, list_length(arguments, "ranking", 10)));
  if (!pairs.known.empty() && values && !ranking)
    report(
        fmt::format("{} known values: RMSE {:.6g}, MAE {:.6g}", pairs.known.size(), errors.rmse, errors.mae));
  else if (!pairs.known.empty() && !values)
    report_quality(made);
  return kDone;
}

}  // namespace claros::cli
