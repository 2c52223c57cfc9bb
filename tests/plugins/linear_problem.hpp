// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_problem.hpp  Small linear models, as the plugin's objectives and as plain loops over dense
/// rows.
#pragma once

#include <claros/abilities.hpp>
#include <claros/dataset.hpp>
#include <claros/map/design.hpp>

#include "estimator_problems.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace claros::test {

/// A design in memory, as a data section would make it.
class DesignInMemory final : public Dataset {
 public:
  explicit DesignInMemory(Design design) : design_(std::make_shared<const Design>(std::move(design))) {}
  std::shared_ptr<const Design> design() const override { return design_; }
  void write(const std::filesystem::path&) const override {}

 private:
  std::shared_ptr<const Design> design_;
};

enum class RowForm { dense, dense_float, sparse, sparse_float };

/// Normal rows, a third of the entries zero; float entries are rounded first, so that all forms hold the same
/// numbers.
inline Dense random_rows(std::uint64_t seed, Index n, Index p) {
  Dense a = normals(seed, n * p);
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] = (k * 2654435761U >> 7U) % 3 == 1 ? 0.0 : static_cast<double>(static_cast<float>(a[k]));
  return a;
}

template <class Real>
SparseRows<Real> sparse_rows(const Dense& a, Index p) {
  SparseRows<Real> rows;
  rows.start.push_back(0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] != 0.0) {
      rows.column.push_back(static_cast<std::int32_t>(k % static_cast<std::size_t>(p)));
      rows.value.push_back(static_cast<Real>(a[k]));
    }
    if ((k + 1) % static_cast<std::size_t>(p) == 0)
      rows.start.push_back(static_cast<Index>(rows.value.size()));
  }
  return rows;
}

inline Design make_design(const Dense& a, Index p, Dense y, RowForm form = RowForm::dense) {
  Design design;
  design.rows = static_cast<Index>(y.size());
  design.cols = p;
  design.response = std::move(y);
  if (form == RowForm::dense) design.entries = DenseRows<double>{a};
  if (form == RowForm::dense_float) design.entries = DenseRows<float>{{a.begin(), a.end()}};
  if (form == RowForm::sparse) design.entries = sparse_rows<double>(a, p);
  if (form == RowForm::sparse_float) design.entries = sparse_rows<float>(a, p);
  return design;
}

inline std::shared_ptr<Objective> linear_model(Design design, const Numbers& numbers, Context context = {}) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  context.data = std::make_shared<DesignInMemory>(std::move(design));
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "linear-model", settings, context));
}

inline Element point(const Shape& shape, std::uint64_t seed, double scale = 0.3) {
  Dense x = normals(seed, shape.size());
  for (double& value : x) value *= scale;
  return Element::dense(shape, std::move(x));
}

inline Dense gradient(Objective& f, const Element& x, const Batch& batch = Batch::all()) {
  Element g(f.shape());
  f.add_gradient(x, batch, 1.0, g);
  return g.to_dense();
}

inline constexpr Index kRows = 23, kCols = 12;

/// Responses that the loss accepts.
inline Dense responses(const std::string& loss, Index n = kRows) {
  Dense y = normals(77, n);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (loss == "logistic" || loss == "squared-hinge") y[i] = y[i] < 0 ? -1.0 : 1.0;
    if (loss == "poisson") y[i] = std::floor(2.0 * std::abs(y[i]));
    if (loss == "multinomial") y[i] = static_cast<double>(i % 3);
  }
  return y;
}

inline const std::vector<std::string> kLosses{"squared",       "robust",  "huber",      "logistic",
                                              "squared-hinge", "poisson", "multinomial"};

/// The numbers of a loss, for a plain loop; derivatives come from differences elsewhere.
inline double plain_loss(const std::string& loss, std::span<const double> z, double y) {
  if (loss == "squared") return 0.5 * (z[0] - y) * (z[0] - y);
  if (loss == "robust") return 1.0 - std::exp(-0.5 * (z[0] - y) * (z[0] - y));
  if (loss == "huber")
    return std::abs(z[0] - y) <= 1.0 ? 0.5 * (z[0] - y) * (z[0] - y) : std::abs(z[0] - y) - 0.5;
  if (loss == "logistic") return std::log(1.0 + std::exp(-y * z[0]));
  if (loss == "squared-hinge") return 0.5 * std::pow(std::max(0.0, 1.0 - y * z[0]), 2);
  if (loss == "poisson") return std::exp(z[0]) - y * z[0] - (y > 0.0 ? y - y * std::log(y) : 0.0);
  double mass = 0.0;
  for (const double score : z) mass += std::exp(score);
  return std::log(mass) - z[static_cast<std::size_t>(y)];
}

/// (1/n) sum_i w_i psi(A_i x, y_i) in nested loops.
inline double plain_value(const std::string& loss, const Dense& a, const Dense& y, const Dense& x,
                          bool intercept, const Dense& w = {}) {
  const std::size_t K = loss == "multinomial" ? 3 : 1, p = kCols;
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Dense z(K, 0.0);
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < p; ++j) z[k] += a[i * p + j] * x[k * p + j];
      if (intercept) z[k] += x[K * p + k];
    }
    sum += (w.empty() ? 1.0 : w[i]) * plain_loss(loss, z, y[i]);
  }
  return sum / static_cast<double>(y.size());
}

inline Dense central_differences(Objective& f, const Element& x) {
  const double h = 1e-5;
  Dense at = x.to_dense(), g(at.size());
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double kept = at[j];
    at[j] = kept + h;
    const double ahead = f.value(Element::dense(x.shape(), at));
    at[j] = kept - h;
    g[j] = (ahead - f.value(Element::dense(x.shape(), at))) / (2 * h);
    at[j] = kept;
  }
  return g;
}

inline double size(const Dense& a) { return distance(a, Dense(a.size(), 0.0)); }

/// What the squared loss takes beside rows and responses.
inline const Numbers kEverything{{"intercept", "true"}, {"errors_in_variables", "0.3"}};

inline const Dense& entries() {
  static const Dense a = random_rows(5, kRows, kCols);
  return a;
}

}  // namespace claros::test
