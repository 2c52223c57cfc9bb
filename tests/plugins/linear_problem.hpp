// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_problem.hpp  Small linear models, as the plugin's objectives and as plain loops over dense
/// rows.
#pragma once

#include <claros/abilities.hpp>
#include <claros/dataset.hpp>
#include <claros/design.hpp>

#include "estimator_problems.hpp"

#include <doctest/doctest.h>

namespace claros::test {

/// A design in memory, as a data section would make it.
class Rows final : public Dataset {
 public:
  explicit Rows(Design design) : design_(std::make_shared<const Design>(std::move(design))) {}
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
  context.data = std::make_shared<Rows>(std::move(design));
  return std::static_pointer_cast<Objective>(
      plugins().create(Kind::objective, "linear-model", settings, context));
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

}  // namespace claros::test
