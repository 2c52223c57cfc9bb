// SPDX-License-Identifier: BSD-3-Clause
#include "survival_parts.hpp"

#include <claros/error.hpp>
#include <claros/row_parts.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace cox {

using namespace claros;

namespace {

double weight(const std::vector<double>& weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

}  // namespace

Survival chosen_times(const Survival& all, const std::vector<Index>& rows) {
  Survival some;
  for (const Index i : rows) {
    some.time.push_back(all.time[at(i)]), some.event.push_back(all.event[at(i)]);
    if (!all.stratum.empty()) some.stratum.push_back(all.stratum[at(i)]);
  }
  return some;
}

void require_event(const Survival& all, const std::vector<double>& weights, const std::vector<Index>& rows) {
  if (std::ranges::any_of(rows, [&](Index i) { return all.event[at(i)] && weight(weights, at(i)) > 0.0; }))
    return;
  throw Error(
      ErrorKind::data, "--folds",
      "the " + std::to_string(rows.size()) + " rows of a training have no event with a weight above 0",
      "use fewer folds, or another --seed");
}

RiskJudge::RiskJudge(Objective& whole, Objective& trained, RiskRows all, const Design& design,
                     const std::vector<Index>& rows)
    : whole_(whole),
      trained_(trained),
      events_(0.0),
      training_(0.0),
      held_back_(0.0),
      rows_(static_cast<double>(all.survival.rows())),
      trained_rows_(rows_ - static_cast<double>(rows.size())),
      survival_(chosen_times(all.survival, rows)),
      offsets_(numbers_of_rows(all.offsets, rows)),
      map_(std::make_shared<DesignMap>(std::make_shared<const Design>(chosen_rows(design, rows)),
                                       Shape::vector(design.cols))) {
  for (std::size_t i = 0; i < all.survival.rows(); ++i) {
    training_ += weight(all.weights, i);
    if (all.survival.event[i]) events_ += weight(all.weights, i);
  }
  for (const Index i : rows) {
    held_back_ += weight(all.weights, at(i));
    if (all.survival.event[at(i)]) events_ -= weight(all.weights, at(i));
  }
  training_ -= held_back_;
}

/// The training has weights of its own scale, c times those of the whole: its sum is c (sum + log c events).
HeldBack RiskJudge::operator()(const Element& x) {
  const double c = trained_rows_ / training_,
               trained = trained_rows_ * trained_.value(x) / c - std::log(c) * events_;
  std::vector<double> z(survival_.rows());
  map_->apply(1.0, x, 0.0, z);
  for (std::size_t i = 0; i < offsets_.size(); ++i) z[i] += offsets_[i];
  return {(rows_ * whole_.value(x) - trained) / held_back_, concordance(survival_, z)};
}

}  // namespace cox
