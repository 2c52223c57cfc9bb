// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/rows_of_model.hpp>

#include <claros/abilities.hpp>
#include <claros/io/design_io.hpp>
#include <claros/map/design_map.hpp>
#include <claros/map/row_weights.hpp>

#include <numeric>

namespace claros {

namespace {

const Node* named(const std::vector<Node>& parts, const std::string& role) {
  for (const Node& part : parts)
    if (part.role == role) return &part;
  return nullptr;
}

std::vector<double> weights_of(const Composition& c, const Design& design) {
  const auto file = c.effective.get("objective", "weights");
  return file && !file->value.empty() ? read_numbers(c.context.resolve(file->value)).values : design.weights;
}

}  // namespace

std::optional<RowsOfModel> rows_of_model(const Composition& c) {
  const Node* objective = named(c.parts, "objective");
  const Node* loss = objective ? named(objective->held, "loss") : nullptr;
  const auto errors = c.effective.get("objective", "errors_in_variables");
  if (!loss || !loss->entry || named(c.parts, "smoother") ||
      (errors && errors->value != "0" && !errors->value.empty()))
    return std::nullopt;
  auto* model = query<LinearPredictor>(*objective->component);
  auto* coefficients = query<TermCoefficients>(*objective->component);
  const auto map = coefficients ? std::dynamic_pointer_cast<const DesignMap>(coefficients->map()) : nullptr;
  if (!model || !map || map->design()->response.empty()) return std::nullopt;
  RowsOfModel rows{map->design(),
                   model->linear_training(),
                   std::static_pointer_cast<Loss>(loss->component),
                   loss->entry->name,
                   {},
                   {}};
  for (std::size_t i = 0; i < rows.design->response.size(); ++i)
    rows.targets.push_back(rows.training.target(*rows.design, i, "the data"));
  rows.weights = weights_of_mean(weights_of(c, *rows.design), "objective.weights");
  return rows;
}

double RowsOfModel::least_loss() const {
  const auto n = static_cast<double>(rows());
  if (const auto bound = loss->constants().lower_bound)
    return *bound * (weights.empty() ? 1.0 : std::accumulate(weights.begin(), weights.end(), 0.0) / n);
  if (!loss->has_conjugate()) return 0.0;
  const std::vector<double> zero(targets.size() * static_cast<std::size_t>(training.outputs), 0.0);
  return -loss->conjugate(zero, targets, weights) / n;  // inf psi(., y) = -psi*(0, y)
}

}  // namespace claros
