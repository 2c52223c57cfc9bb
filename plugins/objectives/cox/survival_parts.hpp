// SPDX-License-Identifier: BSD-3-Clause
/// @file survival_parts.hpp  Some rows of survival times, and what a solution is worth on rows held back.
#pragma once

#include <claros/io/survival.hpp>
#include <claros/map/design_map.hpp>
#include <claros/objective.hpp>
#include <claros/row_parts.hpp>

#include <memory>
#include <vector>

namespace cox {

using claros::Index;

/// Those entries, in that order.
claros::Survival chosen_times(const claros::Survival& all, const std::vector<Index>& rows);
/// Throws Error(data) if none of the rows has an event and a weight above 0.
void require_event(const claros::Survival& all, const std::vector<double>& weights,
                   const std::vector<Index>& rows);

/// The arrays of one number a row. Weights have the sum n; both may be empty.
struct RiskRows {
  const claros::Survival& survival;
  const std::vector<double>&weights, &offsets;
};

/// The loss of rows held back is half the deviance of all rows minus that of the training rows (Verweij, van
/// Houwelingen 1993). It is divided by the sum of the weights of the rows held back. They may be too few for
/// risk sets of their own. The other number is the concordance among them.
class RiskJudge final : public claros::FoldJudge {
 public:
  RiskJudge(claros::Objective& whole, claros::Objective& trained, RiskRows all, const claros::Design& design,
            const std::vector<Index>& rows);
  claros::HeldBack operator()(const claros::Element& x) override;

 private:
  claros::Objective &whole_, &trained_;
  double training_, held_back_;  ///< weights of the training's rows, and of the rows held back
  double rows_;
  claros::Survival survival_;
  std::vector<double> offsets_, weights_;
  std::shared_ptr<const claros::LinearMap> map_;
};

}  // namespace cox
