// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/parallel.hpp>

#include <exception>
#include <numeric>
#include <vector>

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
  std::exception_ptr failure;
#pragma omp parallel for schedule(static) num_threads(threads_in_force)
  for (Index c = 0; c < chunks; ++c) {
    try {
      body(c, c * grain, std::min(n, (c + 1) * grain));
    } catch (...) {
#pragma omp critical(claros_for_chunks)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

double sum_chunks(Index n, Index grain, const std::function<double(Index, Index)>& partial) {
  std::vector<double> partials(static_cast<std::size_t>(chunk_count(n, grain)));
  for_chunks(n, grain, [&](Index c, Index first, Index last) { partials[static_cast<std::size_t>(c)] = partial(first, last); });
  return std::accumulate(partials.begin(), partials.end(), 0.0);
}

}  // namespace claros
