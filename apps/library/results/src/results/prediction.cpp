// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/prediction.hpp>

#include <claros/io/csv.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

std::vector<double> predict(const Solution& solution, const Pairs& pairs, const Clip& clip) {
  std::vector<double> result;
  for (std::size_t k = 0; k < pairs.row.size(); ++k)
    result.push_back(std::clamp(solution.predict(pairs.row[k], pairs.col[k]), clip.low, clip.high));
  return result;
}

std::string seen(const Training& training, const Pairs& pairs, std::size_t k) {
  const bool row = training.rows.seen(pairs.row[k]), col = training.cols.seen(pairs.col[k]);
  return row && col ? "both" : row ? "row" : col ? "column" : "none";
}

std::string predictions_csv(const Training& training, const Pairs& pairs,
                            const std::vector<double>& predictions) {
  const bool known = !pairs.known.empty();
  std::string text = known ? "row,column,prediction,known,seen\n" : "row,column,prediction,seen\n";
  for (std::size_t k = 0; k < predictions.size(); ++k) {
    text += field_text(pairs.row_ids[k], ',', "predictions") + ',' +
            field_text(pairs.col_ids[k], ',', "predictions") + ',' + print_real(predictions[k]) + ',';
    if (known) text += print_real(pairs.known[k]) + ',';
    text += seen(training, pairs, k) + '\n';
  }
  return text;
}

PredictionErrors prediction_errors(const std::vector<double>& predictions, const std::vector<double>& known) {
  PredictionErrors errors;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const double difference = predictions[k] - known[k];
    errors.rmse += difference * difference;
    errors.mae += std::abs(difference);
  }
  const double n = static_cast<double>(known.size());
  return {std::sqrt(errors.rmse / n), errors.mae / n};
}

}  // namespace claros
