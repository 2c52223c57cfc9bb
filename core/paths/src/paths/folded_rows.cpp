// SPDX-License-Identifier: BSD-3-Clause
#include "paths/folded_loss.hpp"

#include <claros/paths/folds.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <claros/io/design_io.hpp>
#include <claros/map/design_map.hpp>

#include <map>
#include <utility>

namespace claros {

namespace {

template <class Real>
DenseRows<Real> entries_of(const DenseRows<Real>& all, const std::vector<Index>& rows, Index cols) {
  DenseRows<Real> some;
  const std::span<const Real> from = all.view();
  some.values.reserve(rows.size() * at(cols));
  for (const Index i : rows)
    some.values.insert(some.values.end(), from.begin() + i * cols, from.begin() + (i + 1) * cols);
  return some;
}

template <class Real>
SparseRows<Real> entries_of(const SparseRows<Real>& held, const std::vector<Index>& rows, Index) {
  const auto all = held.view();
  SparseRows<Real> some{{0}, {}, {}};
  for (const Index i : rows) {
    const Index from = all.start[at(i)], to = all.start[at(i) + 1];
    some.column.insert(some.column.end(), all.column.begin() + from, all.column.begin() + to);
    some.value.insert(some.value.end(), all.value.begin() + from, all.value.begin() + to);
    some.start.push_back(static_cast<Index>(some.column.size()));
  }
  return some;
}

class FoldRows final : public Component, public Dataset {
 public:
  explicit FoldRows(Design design) : design_(std::make_shared<const Design>(std::move(design))) {}
  std::shared_ptr<const Design> design() const override { return design_; }
  void write(const std::filesystem::path& folder) const override {
    write_design(folder / "design.bin", *design_);
  }

 private:
  std::shared_ptr<const Design> design_;
};

class FoldedRows final : public FoldedLoss {
 public:
  FoldedRows(const Composition& whole, RowsOfModel rows) : whole_(whole), rows_(std::move(rows)) {}

  std::string unit() const override { return "rows"; }
  Loss& loss() const override { return *rows_.loss; }
  std::span<const double> targets() const override { return rows_.targets; }
  std::span<const double> weights() const override { return rows_.weights; }
  const std::vector<Index>& groups() const override { return rows_.design->groups; }
  FoldMetric usual_metric() const override { return FoldMetric::mse; }

  /// Targets replace responses, so that every fold has the classes of all rows.
  Composition training(const Catalog& catalog, const std::vector<Index>& rows) const override {
    Design design = chosen_rows(*rows_.design, rows);
    design.response = chosen(rows_.targets, rows);
    design.weights = chosen(rows_.weights, rows), design.offset = chosen(rows_.offsets, rows);
    design.labels = rows_.loss->of_classes() ? rows_.training.classes : std::vector<std::string>();
    Spec spec = spec_of_part(whole_, {"data", "responses", "positive", "weights", "offset", "groups"});
    const std::map<const char*, const char*> own{
        {"standardize", "false"}, {"center", "false"}, {"smoothness", "0"}, {"strong_convexity", "0"}};
    for (const auto& [key, value] : own)
      if (spec.get("objective", key)) spec.set(std::string("objective.") + key, value);
    HostParts parts;
    parts.data = std::make_shared<FoldRows>(std::move(design));
    return compose(catalog, spec, parts);
  }

  HeldBackPart held_back(const Composition&, const std::vector<Index>& rows) const override {
    return {
        std::make_shared<DesignMap>(std::make_shared<const Design>(chosen_rows(*rows_.design, rows)),
                                    rows_.training.shape, rows_.training.outputs, rows_.training.intercept),
        chosen(rows_.targets, rows),
        chosen(rows_.weights, rows),
        chosen(rows_.offsets, rows),
        rows_.training.classes,
        rows_.design->responses};
  }

 private:
  const Composition& whole_;
  RowsOfModel rows_;
};

}  // namespace

Design chosen_rows(const Design& design, const std::vector<Index>& rows) {
  Design some;
  some.rows = static_cast<Index>(rows.size()), some.cols = design.cols;
  std::visit([&](const auto& entries) { some.entries = entries_of(entries, rows, design.cols); },
             design.entries);
  some.response = chosen(design.response, rows), some.responses = design.responses;
  some.weights = chosen(design.weights, rows), some.offset = chosen(design.offset, rows);
  some.groups = chosen(design.groups, rows);
  some.labels = design.labels, some.column_names = design.column_names,
  some.response_name = design.response_name;
  return some;
}

std::shared_ptr<const FoldedData> folded_rows(const Composition& whole) {
  auto rows = rows_of_model(whole);
  return rows ? std::make_shared<FoldedRows>(whole, *std::move(rows)) : nullptr;
}

}  // namespace claros
