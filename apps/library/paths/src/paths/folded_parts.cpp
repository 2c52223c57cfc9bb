// SPDX-License-Identifier: BSD-3-Clause
#include "paths/folded_data.hpp"

#include <claros/abilities.hpp>
#include <claros/paths/folds.hpp>

#include <algorithm>
#include <string>

namespace claros {

namespace {

/// Rows of an objective that makes parts of itself.
class FoldedParts final : public FoldedData {
 public:
  FoldedParts(const Composition& whole, RowParts& rows)
      : whole_(whole), rows_(rows), groups_(rows.groups_of_rows()) {}

  std::string unit() const override { return "rows"; }
  Index count() const override { return rows_.rows(); }
  std::span<const double> classes() const override { return {}; }
  std::span<const double> weights() const override { return rows_.weights_of_rows(); }
  const std::vector<Index>& groups() const override { return groups_; }

  void require(FoldMetric by) const override {
    const std::vector<FoldMetric> all = rows_.measures();
    if (by == FoldMetric::loss || std::ranges::find(all, by) != all.end()) return;
    std::string known = "loss";
    for (const auto& [metric, name] : fold_metrics())
      if (std::ranges::find(all, metric) != all.end()) known += ", " + name;
    throw Error(ErrorKind::usage, "--by", "is not measured of this objective", "choose by " + known);
  }
  void require(const std::vector<Index>& rows) const override { rows_.require(rows); }
  FoldMetric beside(FoldMetric by) const override {
    const std::vector<FoldMetric> all = rows_.measures();
    return by == FoldMetric::loss && !all.empty() ? all.front() : by;
  }

  Composition training(const Catalog& catalog, const FoldPart& part) const override {
    Spec spec = spec_of_part(whole_, {});
    spec.erase("start");  // 0, or the inner point of an objective that is infinite there
    for (const std::string& section : spec.sections())
      if (section == "objective" || section.starts_with("objective.")) spec.erase(section);
    HostParts parts;
    parts.parts["objective"] = {Kind::objective, rows_.part(part.rows)};
    return compose(catalog, spec, parts);
  }
  std::unique_ptr<FoldJudge> judge(const Composition& trained, const FoldPart& part,
                                   FoldMetric beside) const override {
    return rows_.judge(part.rows, *trained.objective, beside);
  }

 private:
  const Composition& whole_;
  RowParts& rows_;
  std::vector<Index> groups_;
};

}  // namespace

std::shared_ptr<const FoldedData> folded_parts(const Composition& whole) {
  auto* rows = query<RowParts>(*whole.objective);
  return rows ? std::make_shared<FoldedParts>(whole, *rows) : nullptr;
}

}  // namespace claros
