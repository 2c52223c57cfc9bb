// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/rows_of_model.hpp>

#include <claros/abilities.hpp>
#include <claros/map/design_map.hpp>
#include <claros/responses_loss.hpp>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

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
  const DesignMap* map = coefficients ? coefficients->map()->design_map() : nullptr;
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
                                                  : target_of(rows.training, *rows.design, i, "the data"));
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

namespace {

/// The loss of one number for all rows.
class OfIntercept {
 public:
  explicit OfIntercept(const RowsOfModel& rows)
      : rows_(rows),
        z_(rows.targets.size() * at(rows.training.outputs)),
        slope_(z_.size()),
        bend_(z_.size()) {}

  double value(double c) {
    for (std::size_t i = 0; i < z_.size(); ++i)
      z_[i] = c + (rows_.offsets.size() == z_.size() ? rows_.offsets[i] : 0.0);
    const double sum = rows_.weights.empty() ? rows_.loss->sum(z_, rows_.targets)
                                             : rows_.loss->weighted_sum(z_, rows_.targets, rows_.weights);
    return sum / static_cast<double>(rows_.rows());
  }
  /// The Newton step of the value, minus slope over curvature, and the product of step and slope. Both are at
  /// the c that it was asked for last.
  std::pair<double, double> newton() {
    rows_.loss->derivative(z_, rows_.targets, slope_);
    rows_.loss->second_derivative(z_, rows_.targets, bend_);
    double slope = 0.0, bend = 0.0;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double w = (rows_.weights.empty() ? 1.0 : rows_.weights[i]) / static_cast<double>(rows_.rows());
      slope += w * slope_[i];
      bend += w * bend_[i];
    }
    return {-slope / bend, slope * slope / bend};
  }

 private:
  const RowsOfModel& rows_;
  std::vector<double> z_, slope_, bend_;
};

}  // namespace

double RowsOfModel::null_loss() const {
  constexpr int kSteps = 100;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN(), kEnough = 1e-14;
  OfIntercept f(*this);
  double c = 0.0, least = f.value(c);
  if (!training.intercept) return least;
  for (int step = 0; training.outputs == 1 && step < kSteps; ++step) {
    const auto [move, fall] = f.newton();
    if (fall <= kEnough * std::abs(least) || fall == 0.0) return least;
    double t = 1.0, next = f.value(c + move);
    while (!(next < least) && t > kEnough) t *= 0.5, next = f.value(c + t * move);
    if (!(next < least)) return fall <= std::sqrt(kEnough) * std::abs(least) ? least : kUnknown;
    c += t * move;
    least = next;
  }
  return kUnknown;
}

}  // namespace claros
