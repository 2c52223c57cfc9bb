// SPDX-License-Identifier: BSD-3-Clause
#include "survival_parts.hpp"

#include <claros/error.hpp>
#include <claros/io/row_weights.hpp>
#include <claros/row_parts.hpp>

#include <algorithm>
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
    if (!all.entry.empty()) some.entry.push_back(all.entry[at(i)]);
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
      training_(0.0),
      held_back_(0.0),
      rows_(static_cast<double>(all.survival.rows())),
      survival_(chosen_times(all.survival, rows)),
      offsets_(numbers_of_rows(all.offsets, rows)),
      weights_(numbers_of_rows(all.weights, rows)),
      map_(std::make_shared<DesignMap>(std::make_shared<const Design>(chosen_rows(design, rows)),
                                       Shape::vector(design.cols))) {
  for (std::size_t i = 0; i < all.survival.rows(); ++i) training_ += weight(all.weights, i);
  for (const Index i : rows) held_back_ += weight(all.weights, at(i));
  training_ -= held_back_;
}

/// The value of the training is a mean by its own weights.
HeldBack RiskJudge::operator()(const Element& x) {
  std::vector<double> z(survival_.rows());
  map_->apply(1.0, x, 0.0, z);
  for (std::size_t i = 0; i < offsets_.size(); ++i) z[i] += offsets_[i];
  return {(rows_ * whole_.value(x) - training_ * trained_.value(x)) / held_back_,
          concordance(survival_, z, weights_)};
}

}  // namespace cox
