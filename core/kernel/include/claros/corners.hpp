// SPDX-License-Identifier: BSD-3-Clause
/// @file corners.hpp  Objectives with corners, and their roundings.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

#include <memory>
#include <span>
#include <vector>

namespace claros {

/// psi_i(z) = max(low r, high r), r = z - y_i.
struct CornerRows {
  std::span<const double> targets;  ///< y_i
  std::span<const double> weights;  ///< w_i, of mean 1; empty: 1
  double low = 0.0, high = 0.0;
};

/// Ability of convex objectives f(x) = sum_i w_i psi_i(<a_i, x>) whose psi_i have a corner. The objective
/// keeps a slope u_i of every psi_i. Its gradient is a subgradient, with u_i at the rows in their corner. Its
/// lower bound is that of the dual point u. Algorithms that do not need this ability are refused.
class CLAROS_API Cornered {
 public:
  static constexpr std::string_view kAbility = "claros.cornered/1";
  static constexpr std::string_view kWords = "a loss with a corner, and its roundings";
  virtual ~Cornered();
  virtual CornerRows rows() const = 0;
  /// The median distance of the residuals at x from their median (from 0 without an intercept).
  virtual double spread(const Element& x) = 0;
  /// Moves the free coordinate of x, if there is one, to its best, and takes slopes u_i that belong to x.
  virtual void balance(Element& x) = 0;
  /// An objective of the same variable: psi_i rounded over 2 delta, and moved so that it has the slope u_i at
  /// the corner. The minimiser of the sum with a penalty is that of f if the u_i are its slopes there.
  virtual std::unique_ptr<Component> rounded(double delta) = 0;
  /// u_i <- the slopes at x of the last rounding.
  virtual void take_slopes(const Element& x) = 0;
  /// The u_i, for a State; empty: the middle of the slopes of each corner.
  virtual std::vector<double>& slopes() = 0;
};

}  // namespace claros
