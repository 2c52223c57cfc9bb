// SPDX-License-Identifier: BSD-3-Clause
#include "element/thread_pool.hpp"

#include <claros/element/parallel.hpp>
#include <claros/error.hpp>

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

namespace claros {

namespace {

std::atomic<ThreadPool*> pool = nullptr;

/// In a child: the threads stayed behind, and so did the holder of the lock.
void leave_pool() { pool.store(nullptr); }

/// Looks some hundred microseconds, in which most waits end: to sleep and be woken costs more.
template <class Condition>
void look(const Condition& holds) {
  constexpr int kLooks = 4000;
  static const bool alone = std::thread::hardware_concurrency() < 2;
  for (int k = 0; k < kLooks && !alone && !holds(); ++k) {
#if defined(__SSE2__)
    _mm_pause();
#endif
  }
}

/// Signals are for the threads of the program; those that a thread brings on itself cannot be held off.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) ::sigdelset(&all, own);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

SharedLoop::SharedLoop(Index n, Index grain, Index places, const ChunkBody& body)
    : n_(n),
      grain_(grain),
      body_(body),
      runs_(static_cast<std::size_t>(places)),
      failed_(chunk_count(n, grain)) {
  const Index chunks = chunk_count(n, grain), each = chunks / places, more = chunks % places;
  Index at = 0;
  for (Index p = 0; p < places; ++p) {
    Run& run = runs_[static_cast<std::size_t>(p)];
    run.next.store(at, std::memory_order_relaxed);
    run.end = at += each + (p < more ? 1 : 0);
  }
}

void SharedLoop::chunk(Index c) {
  // One after a failure is not needed; one before it may be the first to fail.
  if (c > failed_.load(std::memory_order_relaxed)) return;
  try {
    body_(c, c * grain_, std::min(n_, (c + 1) * grain_));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (c < failed_.load(std::memory_order_relaxed))
      failed_.store(c, std::memory_order_relaxed), failure_ = std::current_exception();
  }
}

void SharedLoop::work(std::size_t place) {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    Run& run = runs_[(place + k) % runs_.size()];
    for (Index c; (c = run.next.fetch_add(1, std::memory_order_relaxed)) < run.end;) chunk(c);
  }
}

void SharedLoop::help(std::size_t number) {
  (void)mode_.put_back();
  work(1 + number % (runs_.size() - 1));
  if (FloatingPointMode::now() == mode_) return;
  const std::lock_guard lock(mutex_);
  left_ = FloatingPointMode::now();
}

void SharedLoop::finish() {
  // The caller's thread behaves as if the chunk had run there, so that the watcher of the component sees it.
  if (left_) (void)left_->put_back();
  if (failure_) std::rethrow_exception(failure_);
}

ThreadPool& ThreadPool::instance() {
  if (ThreadPool* there = pool.load()) return *there;
  static const int registered = ::pthread_atfork(nullptr, nullptr, leave_pool);
  (void)registered;
  auto made = std::make_unique<ThreadPool>();
  ThreadPool* none = nullptr;
  return pool.compare_exchange_strong(none, made.get()) ? *made.release() : *none;
}

void ThreadPool::run(SharedLoop& loop, int helpers) {
  {
    const std::lock_guard lock(mutex_);
    asks_.push_back({&loop, helpers});
    wanted_ += helpers;
    if (idle_ < wanted_) grow();
  }
  helpers == 1 ? work_.notify_one() : work_.notify_all();
  loop.work(0);
  if (pool.load() != this)
    throw Error(ErrorKind::plugin, "for_chunks",
                "a process that was forked inside a loop on several threads came back to it",
                "end such a process by _exit or exec");
  close(loop);
  loop.finish();
}

void ThreadPool::grow() {
  const WithoutSignals quiet;
  for (; idle_ < wanted_; ++idle_) try {
      std::thread([this, number = threads_] { serve(number); }).detach();
      ++threads_;
    } catch (const std::system_error&) {
      return;
    }
}

/// No thread joins any more, and those that joined have left.
void ThreadPool::close(const SharedLoop& loop) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(asks_, [&](const Ask& ask) {
      if (ask.loop == &loop) wanted_ -= ask.helpers;
      return ask.loop == &loop;
    });
  }
  look([&] { return loop.inside() == 0; });
  if (loop.inside() == 0) return;
  std::unique_lock lock(mutex_);
  left_.wait(lock, [&] { return loop.inside() == 0; });
}

/// A thread's life. It counts as idle from before it is started.
void ThreadPool::serve(std::size_t number) {
  for (;;) {
    std::unique_lock lock(mutex_, std::defer_lock);
    look([&] { return wanted_.load(std::memory_order_relaxed) > 0 && lock.try_lock(); });
    if (!lock.owns_lock()) lock.lock();
    if (asks_.empty()) work_.wait(lock);
    if (asks_.empty()) continue;  // too late: the next may come soon
    SharedLoop& loop = *asks_.front().loop;
    loop.enter();
    --wanted_, --idle_;
    if (--asks_.front().helpers == 0) asks_.pop_front();
    lock.unlock();
    loop.help(number);
    if (pool.load() != this) std::abort();  // forked in a chunk, and came back to a pool without threads
    lock.lock();
    ++idle_;
    if (loop.leave() == 0) left_.notify_all();
  }
}

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
