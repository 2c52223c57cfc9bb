// SPDX-License-Identifier: BSD-3-Clause
/// @file corner_slopes.hpp  A loss with a corner: a slope for every row.
#pragma once

#include <claros/corners.hpp>
#include <claros/sdk/loss_on_map.hpp>

#include <memory>
#include <span>
#include <vector>

namespace linear_model {

/// The slopes u_i of Cornered, for psi = max(low r, high r). The rounding of width delta moves row i by s_i =
/// 2 delta (u_i - middle)/(high - low), at which its slope is u_i. Solving it and taking its slopes is a step
/// of the method of multipliers, or of proximal points on the dual problem (Rockafellar 1976). That problem
/// is linear but for the penalty, and a few steps of any delta solve it.
class CornerSlopes {
 public:
  CornerSlopes(const claros::sdk::Corner& corner, claros::sdk::LossModel model)
      : corner_(corner), model_(std::move(model)) {}

  claros::CornerRows rows() const { return {model_.targets, model_.weights, corner_.low, corner_.high}; }
  double spread(std::span<const double> z) const;
  /// Returns what the free coordinate has to change by, and takes the slopes there.
  double balance(std::span<const double> z);
  std::unique_ptr<claros::Component> rounded(double delta);
  void take(std::span<const double> z);
  /// c <- the slopes at z, with u_i at the rows in their corner.
  void subgradient(std::span<const double> z, std::span<double> c) const;
  std::vector<double>& slopes() { return slopes_; }
  const std::vector<double>& slopes() const { return slopes_; }

 private:
  claros::sdk::Corner corner_;
  claros::sdk::LossModel model_;
  std::vector<double> slopes_;
  std::vector<double> moved_;  ///< the targets of the last rounding
  double delta_ = 0.0;         ///< of the last rounding
};

}  // namespace linear_model
