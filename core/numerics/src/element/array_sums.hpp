// SPDX-License-Identifier: BSD-3-Clause
/// @file array_sums.hpp  Norms and sums of arrays.
#pragma once

#include <claros/element/buffer.hpp>
#include <claros/element/parallel.hpp>

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

/// g += the sum over the chunks [first, last) of [0, n) of what body(first, last, partial) adds to its array
/// of g's size. The partials are added in the order of the chunks. One thread uses one array for all of them,
/// and a single chunk uses g itself.
template <class Body>
void sum_arrays(Index n, Index grain, std::span<double> g, Body body) {
  const Index chunks = chunk_count(n, grain);
  if (chunks == 1) return body(0, n, g.data());
  const auto size = g.size();
  if (thread_count() == 1) {
    std::vector<double> partial(size);
    for (Index c = 0; c < chunks; ++c) {
      if (c > 0) std::fill(partial.begin(), partial.end(), 0.0);
      body(c * grain, std::min(n, (c + 1) * grain), partial.data());
      for (std::size_t j = 0; j < size; ++j) g[j] += partial[j];
    }
    return;
  }
  std::vector<std::vector<double>> partials(static_cast<std::size_t>(chunks));
  for_chunks(n, grain, [&](Index c, Index first, Index last) {
    auto& partial = partials[static_cast<std::size_t>(c)];
    partial.resize(size);
    body(first, last, partial.data());
  });
  constexpr Index kColumns = 1 << 10;
  for_chunks(static_cast<Index>(size), kColumns, [&](Index, Index first, Index last) {
    for (const auto& partial : partials)
      for (auto j = static_cast<std::size_t>(first); j < static_cast<std::size_t>(last); ++j)
        g[j] += partial[j];
  });
}

}  // namespace claros
