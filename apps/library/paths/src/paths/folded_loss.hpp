// SPDX-License-Identifier: BSD-3-Clause
/// @file folded_loss.hpp  Folds of terms that are losses: of rows, or of the entries of a matrix.
#pragma once

#include "paths/folded_data.hpp"

#include <claros/loss.hpp>
#include <claros/map/design.hpp>
#include <claros/map/linear_map.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// A part that is held back: predictions are A x and offsets.
struct HeldBackPart {
  std::shared_ptr<const LinearMap> map;
  std::vector<double> targets, weights, offsets;  ///< weights and offsets empty for 1 and 0
  std::vector<std::string> classes;
  std::shared_ptr<const Responses> responses = nullptr;  ///< several a row: targets are their rows; or null
};

class FoldedLoss : public FoldedData {
 public:
  virtual Loss& loss() const = 0;
  virtual std::span<const double> targets() const = 0;  ///< as the loss has them
  virtual FoldMetric usual_metric() const = 0;          ///< of numbers
  virtual HeldBackPart held_back(const Composition& trained, const FoldPart& part,
                                 FoldMetric beside) const = 0;

  Index count() const final { return static_cast<Index>(targets().size()); }
  std::span<const double> classes() const final;
  using FoldedData::require;
  void require(FoldMetric by) const final;
  FoldMetric beside(FoldMetric by) const final;
  std::unique_ptr<FoldJudge> judge(const Composition& trained, const FoldPart& part,
                                   FoldMetric beside) const final;

 private:
  bool predicts_classes() const;
};

}  // namespace claros
