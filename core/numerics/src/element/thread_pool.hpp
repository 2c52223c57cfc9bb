// SPDX-License-Identifier: BSD-3-Clause
/// @file thread_pool.hpp  The threads behind for_chunks, which wait for work for as long as the process
/// lives.
#pragma once

#include <claros/contain.hpp>
#include <claros/element/parallel.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace claros {

using ChunkBody = std::function<void(Index, Index, Index)>;

/// One loop, shared by the thread that called it and those that help. Every place (a thread that may come)
/// has a run of neighbouring chunks, so that a thread finds in its cache what it had in the loop before. A
/// thread that is done with its own chunks takes from the others', so that no thread waits for one that has
/// not joined.
class SharedLoop {
 public:
  SharedLoop(Index n, Index grain, Index places, const ChunkBody& body);

  /// Works on the chunks that are left, beginning with those of that place.
  void work(std::size_t place);
  /// Takes part on another thread, which computes as the caller does.
  void help(std::size_t number);
  /// To be called when all have left. Throws what a loop on one thread would have: the exception of the first
  /// chunk that failed.
  void finish();

  int inside() const noexcept { return inside_.load(std::memory_order_acquire); }
  void enter() noexcept { inside_.fetch_add(1, std::memory_order_relaxed); }
  int leave() noexcept { return inside_.fetch_sub(1, std::memory_order_acq_rel) - 1; }

 private:
  struct alignas(64) Run {
    std::atomic<Index> next;
    Index end;
  };
  void chunk(Index c);

  Index n_, grain_;
  const ChunkBody& body_;
  std::vector<Run> runs_;
  FloatingPointMode mode_ = FloatingPointMode::now();
  std::optional<FloatingPointMode> left_;  ///< by a chunk on another thread
  std::mutex mutex_;
  std::atomic<Index> failed_;  ///< the first chunk that did; their number: none
  std::exception_ptr failure_;
  std::atomic<int> inside_ = 0;  ///< helpers
};

/// Made with the first loop that has use for it, and never destroyed: its threads may outlive whatever ends
/// with main. A process that was forked has none of the threads, and makes a pool of its own. Threads are
/// made as they are asked for, so that loops of several callers at once have each their own. If the system
/// gives none, the callers do all the work.
class ThreadPool {
 public:
  static ThreadPool& instance();
  /// The loop, by the caller and up to `helpers` others. Throws what `SharedLoop::finish` does.
  void run(SharedLoop& loop, int helpers);

 private:
  struct Ask {
    SharedLoop* loop;
    int helpers;
  };
  void grow();
  void serve(std::size_t number);
  void close(const SharedLoop& loop);

  std::mutex mutex_;
  std::condition_variable work_, left_;
  std::deque<Ask> asks_;
  std::atomic<int> wanted_ = 0;  ///< helpers in asks_
  int idle_ = 0;
  std::size_t threads_ = 0;
};

}  // namespace claros
