// SPDX-License-Identifier: BSD-3-Clause
#include "report/known_values.hpp"

#include <claros/io/linear_training.hpp>
#include <claros/results/fold_in.hpp>
#include <claros/results/linear_prediction.hpp>
#include <claros/results/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "data/predict_rows.hpp"

namespace claros::cli {

namespace {

[[noreturn]] void refuse_unknown(const std::string& file) {
  throw Error(ErrorKind::data, file, "has no known values to compare predictions with",
              "give rows with their responses, or ratings with a third column");
}

ReportPoints residuals(const std::string& file, const std::vector<double>& fitted,
                       const std::vector<double>& known) {
  ReportPoints points{
      "Residuals against fitted values", "fitted value", "known value - fitted value", {}, fitted, {}};
  for (std::size_t k = 0; k < known.size(); ++k) points.up.push_back(known[k] - fitted[k]);
  const PredictionErrors errors = prediction_errors(fitted, known);
  points.note = fmt::format("{} values of {}: RMSE {:.6g}, mean absolute error {:.6g}", known.size(), file,
                            errors.rmse, errors.mae);
  return points;
}

/// For ten equal intervals of the probability: its mean, and the share of rows in which it came true.
ReportPoints calibration(const RowPredictions& made, const std::string& file) {
  constexpr std::size_t kBins = 10;
  struct Bin {
    double probability = 0.0, right = 0.0, count = 0.0;
  };
  std::array<Bin, kBins> bins;
  const auto width = static_cast<std::size_t>(made.width);
  const bool two = width == 2;
  for (std::size_t i = 0; i < made.known_class.size(); ++i) {
    const auto k = two ? std::size_t{1} : static_cast<std::size_t>(made.chosen[i]);
    const double p = made.numbers[i * width + k];
    Bin& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(p * kBins))];
    bin.probability += p;
    bin.count += 1.0;
    bin.right += made.known_class[i] == static_cast<Index>(k) ? 1.0 : 0.0;
  }
  ReportPoints points{
      "Calibration",
      two ? "predicted probability of " + made.classes[1] : "probability of the predicted class",
      two ? "share of " + made.classes[1] : "share of right predictions",
      fmt::format("{} rows of {} in ten intervals of the probability; accuracy {:.4g}, log loss {:.4g}. "
                  "Points on the line are calibrated.",
                  made.known_class.size(), file, made.quality.accuracy, made.quality.log_loss),
      {},
      {},
      true};
  for (const Bin& bin : bins)
    if (bin.count > 0.0)
      points.across.push_back(bin.probability / bin.count), points.up.push_back(bin.right / bin.count);
  return points;
}

/// How often each class was taken for each other one.
ReportTable confusion(const RowPredictions& made) {
  ReportTable table{"Known classes and predicted ones", {"known"}, {}};
  for (const std::string& name : made.classes) table.header.push_back("predicted " + name);
  std::vector<std::vector<std::size_t>> counts(made.classes.size(),
                                               std::vector<std::size_t>(made.classes.size()));
  for (std::size_t i = 0; i < made.known_class.size(); ++i)
    ++counts[static_cast<std::size_t>(made.known_class[i])][static_cast<std::size_t>(made.chosen[i])];
  for (std::size_t k = 0; k < counts.size(); ++k) {
    auto& row = table.rows.emplace_back(std::vector<std::string>{made.classes[k]});
    for (const std::size_t count : counts[k]) row.push_back(std::to_string(count));
  }
  return table;
}

/// The ids with most ratings: their means and errors.
ReportTable ratings_by(const char* what, const std::vector<std::string>& ids,
                       const std::vector<double>& predicted, const std::vector<double>& known) {
  constexpr std::size_t kShown = 100;
  struct Sums {
    double count = 0.0, known = 0.0, predicted = 0.0, squares = 0.0;
  };
  std::map<std::string, Sums> sums;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    Sums& of = sums[ids[k]];
    const double error = predicted[k] - known[k];
    of.count += 1.0;
    of.known += known[k];
    of.predicted += predicted[k];
    of.squares += error * error;
  }
  std::vector<std::pair<std::string, Sums>> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  ReportTable table{
      fmt::format("Ratings by {}", what), {what, "ratings", "mean known", "mean predicted", "RMSE"}, {}};
  if (sorted.size() > kShown) table.title += fmt::format(": the {} with most of {}", kShown, sorted.size());
  sorted.resize(std::min(sorted.size(), kShown));
  for (const auto& [id, of] : sorted)
    table.rows.push_back({id, report_number(of.count), report_number(of.known / of.count),
                          report_number(of.predicted / of.count),
                          report_number(std::sqrt(of.squares / of.count))});
  return table;
}

void add_rows(Report& report, const RowPredictions& made, const std::string& file) {
  if (made.known.empty()) refuse_unknown(file);
  if (made.classes.empty()) {
    report.points.push_back(residuals(file, made.numbers, made.known));
    return;
  }
  if (made.kind == ResponseKind::probability) report.points.push_back(calibration(made, file));
  report.results.push_back(confusion(made));
}

void add_ratings(Report& report, const Solution& solution, const std::string& file) {
  TextInput input(file);
  const Pairs pairs = read_pairs(input, solution.training(), {.skips_unknown = true});
  if (pairs.known.empty()) refuse_unknown(file);
  const std::vector<double> predicted = predict(solution, pairs),
                            known = preferences(solution.training(), pairs.known);
  report.points.push_back(residuals(file, predicted, known));
  if (pairs.skipped > 0)
    report.points.back().note += fmt::format("; {} pairs of unknown ids are left out", pairs.skipped);
  report.results.push_back(ratings_by("row", pairs.row_ids, predicted, known));
  report.results.push_back(ratings_by("column", pairs.col_ids, predicted, known));
}

}  // namespace

void add_known_values(Report& report, const Arguments& arguments, const std::filesystem::path& folder,
                      const std::string& file) {
  const Solution solution = Solution::read(folder);
  if (has_linear_training(folder / "solution"))
    add_rows(report, predictions_of_file(arguments, folder, solution, file), file);
  else
    add_ratings(report, solution, file);
}

}  // namespace claros::cli
