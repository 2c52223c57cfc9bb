// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/row_weights.hpp>

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

std::vector<double> numbers_of_rows(const std::vector<double>& all, const std::vector<Index>& rows) {
  std::vector<double> some;
  for (const Index i : rows)
    if (!all.empty()) some.push_back(all[static_cast<std::size_t>(i)]);
  return some;
}

std::vector<double> weights_of_mean(std::vector<double> weights, const std::string& where) {
  double largest = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0.0)
      throw Error(ErrorKind::data, where,
                  "the weight of row " + std::to_string(i + 1) + " is " + print_real(weights[i]),
                  "weights are finite numbers >= 0");
    largest = std::max(largest, weights[i]);
  }
  if (weights.empty()) return {};
  if (largest == 0.0)
    throw Error(ErrorKind::data, where, "all weights are 0", "give at least one row a weight above 0");
  if (std::ranges::all_of(weights, [&](double w) { return w == largest; })) return {};
  for (double& w : weights) sum += w /= largest;  // the sum does not overflow
  const double scale = static_cast<double>(weights.size()) / sum;
  for (double& w : weights) w *= scale;
  return weights;
}

}  // namespace claros
