// SPDX-License-Identifier: BSD-3-Clause
/// @file array_sums.hpp  Norms and sums of arrays.
#pragma once

#include <claros/element/buffer.hpp>
#include <claros/element/sum_arrays.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace claros {

/// ||v||, by Eigen's norm where its squares are exact to rounding; NaN if v holds NaN.
inline double safe_norm(const Eigen::Ref<const Eigen::VectorXd>& v) {
  const double norm = v.norm();
  return (norm > 1e-140 && norm < 1e140) || !v.allFinite() ? norm : v.stableNorm();
}

/// values <- w values.
inline void multiply(double w, std::span<double> values) {
  for (double& value : values) value *= w;
}

/// wa a + wb b as a new array, a and b of the same length. Copied and added to piece by piece: neither is the
/// new array filled with zeros before, nor read again after it has left the cache.
inline Buffer array_sum(double wa, std::span<const double> a, double wb, std::span<const double> b) {
  constexpr std::size_t kPiece = 2048;
  std::vector<double> sum;
  sum.reserve(a.size());
  for (std::size_t first = 0; first < a.size(); first += kPiece) {
    const std::span<const double> piece = a.subspan(first, std::min(kPiece, a.size() - first));
    sum.insert(sum.end(), piece.begin(), piece.end());
    double* to = sum.data() + first;
    if (wa != 1.0)
      for (std::size_t k = 0; k < piece.size(); ++k) to[k] *= wa;
    for (std::size_t k = 0; k < piece.size(); ++k) to[k] += wb * b[first + k];
  }
  return Buffer(std::move(sum));
}

}  // namespace claros
