// SPDX-License-Identifier: BSD-3-Clause
/// @file absolute_value.hpp  One entry of the l1 norm.
#pragma once

#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>
#include <shared/sets/norm_conjugate.hpp>
#include <shared/sets/water_level.hpp>

#include <cmath>

namespace claros::sdk {

/// lambda |x|, for EntrywisePenalty.
struct AbsoluteValue {
  static constexpr bool kStepsAddUp = true;
  double lambda;

  double value(double x) const { return lambda * std::abs(x); }
  double psi(double x) const { return std::abs(x); }
  auto prox_psi(double t) const {
    return [t](double v) { return soft_threshold(v, t); };
  }
  auto prox(double step) const { return prox_psi(step * lambda); }
  auto pieces(double step) const {
    const double level = step * lambda;
    return PiecewiseAffine::odd(PiecewiseAffine().piece(level, 0.0, 0.0).piece(kInfinity, 1.0, -level));
  }
  double weak_convexity() const { return 0.0; }
  double slope_at_zero() const { return 1.0; }
  AbsoluteValue weighted(double w) const { return {w * lambda}; }
  double conjugate(double s) const { return norm_conjugate(std::abs(s), lambda, kInfinity); }
  double domain() const { return lambda; }
};

}  // namespace claros::sdk
