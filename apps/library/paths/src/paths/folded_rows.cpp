// SPDX-License-Identifier: BSD-3-Clause
#include "paths/equal_rows.hpp"
#include "paths/folded_loss.hpp"

#include <claros/paths/folds.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <claros/io/design_io.hpp>
#include <claros/map/design_map.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace claros {

namespace {

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

  /// No intercept fits counts that are all 0.
  using FoldedLoss::require;
  void require(const std::vector<Index>& rows) const override {
    if (rows_.loss->response() != ResponseKind::count || !rows_.training.intercept ||
        rows_.training.outputs > 1)
      return;
    if (std::ranges::any_of(rows, [&](Index i) { return rows_.targets[at(i)] > 0.0; })) return;
    throw Error(ErrorKind::data, "--folds",
                "the " + std::to_string(rows.size()) +
                    " rows of a training have the response 0, and no intercept fits them best",
                "use fewer folds, another --seed, or more rows with a response above 0");
  }

  /// Targets replace responses, so that every fold has the classes of all rows.
  Composition training(const Catalog& catalog, const FoldPart& part) const override {
    auto few = takes_equal_rows(whole_) ? equal_rows(rows_, part, factors_) : std::nullopt;
    return composed(catalog, few ? *std::move(few) : those(part.rows));
  }
  Composition composed(const Catalog& catalog, Design design) const {
    std::vector<std::string> read{"data", "responses", "positive"};
    for (const auto& row : design_rows()) read.emplace_back(row.info.name);
    Spec spec = spec_of_part(whole_, read);
    const std::map<const char*, const char*> own{
        {"standardize", "false"}, {"center", "false"}, {"smoothness", "0"}, {"strong_convexity", "0"}};
    if (spec.get("objective", "intercept"))
      spec.set("objective.intercept", rows_.training.intercept ? "true" : "false");
    for (const auto& [key, value] : own)
      if (spec.get("objective", key)) spec.set(std::string("objective.") + key, value);
    HostParts parts;
    parts.data = std::make_shared<FoldRows>(std::move(design));
    return compose(catalog, spec, parts);
  }

  HeldBackPart held_back(const Composition&, const FoldPart& part, FoldMetric beside) const override {
    const bool of_squares =
        beside != FoldMetric::mae && (beside != FoldMetric::r2 || rows_.training.intercept);
    if (of_squares && rows_.offsets.empty())
      if (auto few = equal_rows(rows_, part, factors_)) {
        std::vector<double> targets = few->response;
        return {std::make_shared<DesignMap>(std::make_shared<const Design>(*std::move(few)),
                                            rows_.training.shape, 1, rows_.training.intercept),
                std::move(targets),
                {},
                {},
                {}};
      }
    return {
        std::make_shared<DesignMap>(std::make_shared<const Design>(chosen_rows(*rows_.design, part.rows)),
                                    rows_.training.shape, rows_.training.outputs, rows_.training.intercept),
        chosen(rows_.targets, part.rows),
        chosen(rows_.weights, part.rows),
        chosen(rows_.offsets, part.rows),
        rows_.training.classes,
        rows_.design->responses};
  }

 private:
  Design those(const std::vector<Index>& rows) const {
    Design design = chosen_rows(*rows_.design, rows);
    design.response = chosen(rows_.targets, rows);
    design.weights = chosen(rows_.weights, rows);
    design.offset = chosen(rows_.offsets, rows);
    design.labels = rows_.loss->of_classes() ? rows_.training.classes : std::vector<std::string>();
    return design;
  }

  const Composition& whole_;
  RowsOfModel rows_;
  mutable FoldFactors factors_;
};

}  // namespace

std::optional<Composition> with_equal_rows(const Catalog& catalog, const Composition& whole) {
  auto rows = takes_equal_rows(whole) ? rows_of_model(whole) : std::nullopt;
  if (!rows) return std::nullopt;
  FoldPart all{std::vector<Index>(at(rows->rows()))};
  std::iota(all.rows.begin(), all.rows.end(), Index{0});
  FoldFactors none;
  auto few = equal_rows(*rows, all, none);
  if (!few) return std::nullopt;
  return FoldedRows(whole, *std::move(rows)).composed(catalog, *std::move(few));
}

std::shared_ptr<const FoldedData> folded_rows(const Composition& whole) {
  auto rows = rows_of_model(whole);
  return rows ? std::make_shared<FoldedRows>(whole, *std::move(rows)) : nullptr;
}

}  // namespace claros
