// SPDX-License-Identifier: BSD-3-Clause
/// @file low_rank_kernels.hpp  Entries of sum_k w_k u_k v_k', many or few.
#pragma once

#include <claros/element/element.hpp>

namespace claros::low_rank {

/// The positions of the nonzero weights.
inline std::vector<Index> active(const LowRankForm& f) {
  std::vector<Index> columns;
  for (std::size_t k = 0; k < f.weights.size(); ++k)
    if (f.weights[k] != 0.0) columns.push_back(static_cast<Index>(k));
  return columns;
}

/// out_e <- beta out_e + w * (entry e of the pattern). Each pass over the entries does the work of eight
/// rank-one updates.
void add_pattern(double w, const LowRankForm& f, const Pattern& pattern, double beta, std::span<double> out);

/// out_k += w * (entry at position(k)).
template <class Position>
void add_entries(double w, const LowRankForm& f, Position position, std::span<double> out) {
  for (const Index c : active(f)) {
    const double weight = w * f.weights[static_cast<std::size_t>(c)];
    const double* u = f.store->left(c).data();
    const double* v = f.store->right(c).data();
    for (std::size_t k = 0; k < out.size(); ++k) {
      const auto [i, j] = position(k);
      out[k] += weight * u[i] * v[j];
    }
  }
}

}  // namespace claros::low_rank
