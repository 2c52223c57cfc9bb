// SPDX-License-Identifier: BSD-3-Clause
/// @file held_back_rows.hpp  What solutions are worth on rows that they were not fitted to.
#pragma once

#include <claros/abilities.hpp>
#include <claros/map/design_map.hpp>
#include <claros/objective.hpp>
#include <claros/row_parts.hpp>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace square_root {

/// The loss is the root mean square of the residuals, with the intercept of the training. The other number is
/// the mean of their squares, its root, or the mean of their magnitudes.
class HeldBackRows final : public claros::FoldJudge {
 public:
  HeldBackRows(std::shared_ptr<const claros::Design> design, std::vector<double> y,
               std::vector<double> weights, bool intercept, claros::Objective& trained,
               claros::FoldMetric beside)
      : y_(std::move(y)),
        weights_(std::move(weights)),
        map_(design, claros::Shape::vector(design->cols)),
        trained_(intercept ? claros::query<claros::Rescaled>(trained) : nullptr),
        beside_(beside) {}

  claros::HeldBack operator()(const claros::Element& x) override {
    std::vector<double> z(y_.size());
    map_.apply(1.0, x, 0.0, z);
    const double b = trained_ ? trained_->original(x).to_dense().back() : 0.0;
    double squares = 0.0, magnitudes = 0.0, total = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double r = z[i] + b - y_[i], w = weights_.empty() ? 1.0 : weights_[i];
      squares += w * r * r;
      magnitudes += w * std::abs(r);
      total += w;
    }
    const double root = std::sqrt(squares / total);
    if (beside_ == claros::FoldMetric::mae) return {root, magnitudes / total};
    return {root, beside_ == claros::FoldMetric::rmse ? root : squares / total};
  }

 private:
  std::vector<double> y_, weights_;
  claros::DesignMap map_;
  claros::Rescaled* trained_;
  claros::FoldMetric beside_;
};

}  // namespace square_root
