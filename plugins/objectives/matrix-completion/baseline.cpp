// SPDX-License-Identifier: BSD-3-Clause
#include "baseline.hpp"

#include "bias_equations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace matrix_completion {

using namespace claros;

namespace {

double median(std::vector<double> y) {
  const auto middle = y.begin() + static_cast<std::ptrdiff_t>((y.size() - 1) / 2);
  std::nth_element(y.begin(), middle, y.end());
  return *middle;
}

double spread(const std::vector<double>& y) {
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  return *high - *low;
}

/// The sums start at the median, so that nothing cancels in values that are large and close together.
double location(const std::vector<double>& y, const Loss& loss, const std::vector<double>& of_entries) {
  double mu = median(y);
  for (int round = 0; round < kBaselineRounds; ++round) {
    const std::vector<double> w = reweighted(std::vector<double>(y.size(), mu), y, loss, of_entries);
    double move = 0.0;
    for (std::size_t e = 0; e < y.size(); ++e) move += w[e] * (y[e] - mu);
    move /= std::accumulate(w.begin(), w.end(), 0.0);
    mu += move;
    if (std::abs(move) <= kBaselineSettled * spread(y)) break;
  }
  return mu;
}

}  // namespace

std::vector<double> reweighted(const std::vector<double>& z, const std::vector<double>& y, const Loss& loss,
                               const std::vector<double>& of_entries) {
  std::vector<double> w(y.size());
  loss.derivative(z, y, w);
  const double curvature = *loss.constants().smoothness;
  for (std::size_t e = 0; e < w.size(); ++e) w[e] = z[e] == y[e] ? 1.0 : w[e] / (curvature * (z[e] - y[e]));
  for (std::size_t e = 0; e < of_entries.size(); ++e) w[e] *= of_entries[e];
  return w;
}

Baseline fit_baseline(const Ratings& ratings, const Loss& loss, const BaselineOptions& options) {
  Baseline baseline{word_of(center_words(), options.center), 0.0, {}, {}};
  if (baseline.is_none()) return baseline;
  const std::vector<double>& y = ratings.value;
  baseline.mean = location(y, loss, ratings.weight);
  if (options.center == Center::mean) return baseline;
  std::vector<double> residual(y.size()), z(y.size(), baseline.mean);
  for (std::size_t e = 0; e < y.size(); ++e) residual[e] = y[e] - baseline.mean;
  for (int round = 0; round < kBaselineRounds; ++round) {
    solve_biases(ratings, residual, reweighted(z, y, loss, ratings.weight), options.row_bias_regularization,
                 options.col_bias_regularization, baseline.row, baseline.col);
    double change = 0.0;
    for (std::size_t e = 0; e < y.size(); ++e) {
      const double moved = baseline.at(ratings.row[e], ratings.col[e]);
      change = std::max(change, std::abs(moved - z[e]));
      z[e] = moved;
    }
    const bool quadratic = loss.constants().third == 0.0;
    if (quadratic || change <= kBaselineSettled * spread(y)) break;
  }
  return baseline;
}

}  // namespace matrix_completion
