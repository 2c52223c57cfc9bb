// SPDX-License-Identifier: BSD-3-Clause
/// @file parallel_entries.hpp  Loops over the entries of large arrays, on the threads in force.
#pragma once

#include <claros/element/parallel.hpp>

#include <span>

namespace claros::sdk {

/// g_j <- g_j + f(x_j) in one pass. Every entry is computed by itself, so that no bit depends on the threads.
/// g and x do not overlap.
template <class F>
void add_entries(std::span<const double> x, std::span<double> g, F f) {
  constexpr Index kGrain = Index{1} << 14;
  for_chunks(static_cast<Index>(g.size()), kGrain, [&](Index, Index first, Index last) {
    const double* const from = x.data();
    double* const to = g.data();
#pragma GCC ivdep
    for (Index j = first; j < last; ++j) to[j] += f(from[j]);
  });
}

}  // namespace claros::sdk
