// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/factor_store.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/predictor.hpp>

#include <memory>
#include <utility>

namespace claros {

Predictor::~Predictor() = default;
LinearPredictor::~LinearPredictor() = default;

double Baseline::at(Index i, Index j) const {
  double sum = mean;
  if (!row.empty() && i >= 0) sum += row[static_cast<std::size_t>(i)];
  if (!col.empty() && j >= 0) sum += col[static_cast<std::size_t>(j)];
  return sum;
}

Element Baseline::element(const Shape& shape) const {
  std::vector<double> left(static_cast<std::size_t>(shape.rows)), right(static_cast<std::size_t>(shape.cols));
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = at(static_cast<Index>(i), -1);
  for (std::size_t j = 0; j < right.size() && !col.empty(); ++j) right[j] = col[j];
  const std::vector<double> ones_left(left.size(), 1.0), ones_right(right.size(), 1.0);
  auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
  store->append(left, ones_right);
  store->append(ones_left, right);
  return Element::low_rank(std::move(store), {1.0, 1.0});
}

std::string Ids::name(Index k) const {
  return names.empty() ? std::to_string(first + k) : names[static_cast<std::size_t>(k)];
}

bool Ids::seen(Index k) const {
  return k >= 0 && (entries.empty() || entries[static_cast<std::size_t>(k)] > 0);
}

}  // namespace claros
