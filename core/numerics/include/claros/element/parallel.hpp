// SPDX-License-Identifier: BSD-3-Clause
/// @file parallel.hpp  Threads that never change a result: work is cut into chunks that depend on its size
/// alone.
#pragma once

#include <claros/api.hpp>

#include <functional>

namespace claros {

/// Sets how many threads the calling thread's loops may use, until the scope ends. Nothing is set for the
/// process.
class CLAROS_API ThreadScope {
 public:
  explicit ThreadScope(int threads) noexcept;
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int previous_;
};

/// Threads in force for the calling thread; 1 unless a ThreadScope says otherwise.
CLAROS_API int thread_count() noexcept;

/// body(chunk, first, last) over [0, n) in chunks of `grain`, in any order and on any of the threads in
/// force. A sum over chunks is made reproducible by storing one partial a chunk and adding them in order.
CLAROS_API void for_chunks(Index n, Index grain, const std::function<void(Index, Index, Index)>& body);

inline Index chunk_count(Index n, Index grain) noexcept { return (n + grain - 1) / grain; }

/// sum over [0, n) of partial(first, last), the partials added in the order of the chunks.
CLAROS_API double sum_chunks(Index n, Index grain, const std::function<double(Index, Index)>& partial);

}  // namespace claros
