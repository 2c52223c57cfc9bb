// SPDX-License-Identifier: BSD-3-Clause
#include <claros/row_parts.hpp>

namespace claros {

const std::vector<std::pair<FoldMetric, std::string>>& fold_metrics() {
  static const std::vector<std::pair<FoldMetric, std::string>> all{
      {FoldMetric::loss, "loss"}, {FoldMetric::accuracy, "accuracy"},
      {FoldMetric::auc, "auc"},   {FoldMetric::mse, "mse"},
      {FoldMetric::mae, "mae"},   {FoldMetric::rmse, "rmse"},
      {FoldMetric::r2, "r2"},     {FoldMetric::concordance, "concordance"}};
  return all;
}

std::vector<double> numbers_of_rows(const std::vector<double>& all, const std::vector<Index>& rows) {
  std::vector<double> some;
  for (const Index i : rows)
    if (!all.empty()) some.push_back(all[static_cast<std::size_t>(i)]);
  return some;
}

FoldJudge::~FoldJudge() = default;
RowParts::~RowParts() = default;

}  // namespace claros
