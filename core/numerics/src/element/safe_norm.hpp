// SPDX-License-Identifier: BSD-3-Clause
/// @file safe_norm.hpp  Norms of arrays whose squares may leave the range of numbers.
#pragma once

#include <Eigen/Core>

namespace claros {

/// ||v||, by Eigen's norm where its squares are exact to rounding; NaN if v holds NaN.
inline double safe_norm(const Eigen::Ref<const Eigen::VectorXd>& v) {
  const double norm = v.norm();
  return (norm > 1e-140 && norm < 1e140) || !v.allFinite() ? norm : v.stableNorm();
}

}  // namespace claros
