// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/parallel.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "element/thread_pool.hpp"

namespace claros {

namespace {
thread_local int threads_in_force = 1;
}

ThreadScope::ThreadScope(int threads) noexcept : previous_(threads_in_force) {
  threads_in_force = std::max(1, threads);
}

ThreadScope::~ThreadScope() { threads_in_force = previous_; }

int thread_count() noexcept { return threads_in_force; }

void for_chunks(Index n, Index grain, const std::function<void(Index, Index, Index)>& body) {
  const Index chunks = chunk_count(n, grain);
  if (threads_in_force == 1 || chunks < 2) {
    for (Index c = 0; c < chunks; ++c) body(c, c * grain, std::min(n, (c + 1) * grain));
    return;
  }
  const Index places = std::min<Index>(threads_in_force, chunks);
  SharedLoop loop(n, grain, places, body);
  const ThreadScope alone(1);  // a loop within a chunk is the chunk's own
  ThreadPool::instance().run(loop, static_cast<int>(places) - 1);
}

double sum_chunks(Index n, Index grain, const std::function<double(Index, Index)>& partial) {
  std::vector<double> partials(static_cast<std::size_t>(chunk_count(n, grain)));
  for_chunks(n, grain, [&](Index c, Index first, Index last) {
    partials[static_cast<std::size_t>(c)] = partial(first, last);
  });
  return std::accumulate(partials.begin(), partials.end(), 0.0);
}

}  // namespace claros
