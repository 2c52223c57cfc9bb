// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/rows_of_model.hpp>

#include <claros/abilities.hpp>
#include <claros/map/design_map.hpp>
#include <claros/results/responses_loss.hpp>

#include <numeric>

namespace claros {

namespace {

const Node* named(const std::vector<Node>& parts, const std::string& role) {
  for (const Node& part : parts)
    if (part.role == role) return &part;
  return nullptr;
}

const Node* loss_node(const Composition& c) {
  const Node* objective = named(c.parts, "objective");
  const Node* loss = objective ? named(objective->held, "loss") : nullptr;
  return loss && loss->entry ? loss : nullptr;
}

std::vector<double> numbers(std::span<const double> all) { return {all.begin(), all.end()}; }

}  // namespace

std::shared_ptr<Loss> loss_of_model(const Composition& composition) {
  const Node* loss = loss_node(composition);
  return loss ? std::static_pointer_cast<Loss>(loss->component) : nullptr;
}

std::optional<RowsOfModel> rows_of_model(const Composition& c) {
  const Node* loss = loss_node(c);
  const auto errors = c.effective.get("objective", "errors_in_variables");
  if (!loss || named(c.parts, "smoother") || (errors && errors->value != "0" && !errors->value.empty()))
    return std::nullopt;
  auto* model = query<LinearPredictor>(*c.objective);
  auto* coefficients = query<TermCoefficients>(*c.objective);
  const auto map = coefficients ? std::dynamic_pointer_cast<const DesignMap>(coefficients->map()) : nullptr;
  if (!model || !map || map->design()->response.empty()) return std::nullopt;
  RowsOfModel rows{map->design(),
                   model->linear_training(),
                   std::static_pointer_cast<Loss>(loss->component),
                   loss->entry->name,
                   {},
                   numbers(model->row_weights()),
                   numbers(model->row_offsets())};
  if (rows.design->responses) rows.loss = std::make_shared<ResponsesLoss>(rows.loss, rows.design->responses);
  for (std::size_t i = 0; i < rows.design->response.size(); ++i)
    rows.targets.push_back(rows.design->responses ? rows.design->response[i]
                                                  : rows.training.target(*rows.design, i, "the data"));
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
