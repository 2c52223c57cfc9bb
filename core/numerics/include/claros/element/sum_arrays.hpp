// SPDX-License-Identifier: BSD-3-Clause
/// @file sum_arrays.hpp  Sums of arrays over chunks, whose bits do not depend on the number of threads.
#pragma once

#include <claros/element/parallel.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace claros {

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
