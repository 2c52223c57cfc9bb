// SPDX-License-Identifier: BSD-3-Clause
// Loops on several threads: every chunk once, the exception that one thread would have thrown, any callers,
// children of a fork.
#include <claros/contain.hpp>
#include <claros/element/parallel.hpp>

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace claros;

namespace {

/// Waits for what another thread is to do; false where it does not come.
bool comes(const std::atomic<bool>& flag) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!flag && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  return flag;
}

/// Two chunks, of which the caller's waits for the helper's.
void on_a_helper(const std::function<void()>& body) {
  const ThreadScope scope(2);
  std::atomic<bool> done = false;
  const auto caller = std::this_thread::get_id();
  for_chunks(2, 1, [&](Index c, Index, Index) {
    if (c == 0) {
      CHECK(comes(done));
      return;
    }
    CHECK(std::this_thread::get_id() != caller);
    const std::shared_ptr<void> at_the_end(nullptr, [&](void*) { done = true; });
    body();
  });
}

/// Whether each of n numbers was met once, in chunks that hang together.
bool covers(Index n, Index grain, int threads) {
  const ThreadScope scope(threads);
  std::vector<std::atomic<int>> met(static_cast<std::size_t>(n));
  std::atomic<bool> fits = true;
  for_chunks(n, grain, [&](Index c, Index first, Index last) {
    if (first != c * grain || last != std::min(n, first + grain)) fits = false;
    for (Index i = first; i < last; ++i) ++met[static_cast<std::size_t>(i)];
  });
  for (const auto& times : met)
    if (times != 1) return false;
  return fits;
}

std::size_t threads_of_process() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

/// The exit code of a child that does this; -1 where it does not end well in time.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    ::_exit(work());
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("parallel: every chunk once, with fewer and more threads than chunks") {
  for (const int threads : {1, 2, 3, 7, 40})
    for (const Index n : {0, 1, 5, 64, 1001})
      for (const Index grain : {1, 7, 2000}) CHECK(covers(n, grain, threads));
}

TEST_CASE("parallel: another thread helps, and signals are not for it") {
  on_a_helper([] {
    sigset_t blocked{};
    REQUIRE(::pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0);
    CHECK(::sigismember(&blocked, SIGINT) == 1);
    CHECK(::sigismember(&blocked, SIGSEGV) == 0);
  });
}

TEST_CASE("parallel: what is thrown is what one thread would have thrown") {
  for (const int threads : {1, 2, 5})
    for (int k = 0; k < 50; ++k) {
      const ThreadScope scope(threads);
      CHECK_THROWS_WITH_AS(for_chunks(97, 1,
                                      [&](Index c, Index, Index) {
                                        if (c % 10 == 3)
                                          throw std::runtime_error("chunk " + std::to_string(c));
                                      }),
                           "chunk 3", std::runtime_error);
      CHECK(covers(97, 1, threads));
    }
}

TEST_CASE("parallel: a loop within a chunk stays on the chunk's thread") {
  const ThreadScope scope(4);
  std::vector<Index> sums(20);
  std::atomic<bool> alone = true;
  for_chunks(20, 1, [&](Index c, Index, Index) {
    const auto here = std::this_thread::get_id();
    for_chunks(30, 1, [&](Index, Index first, Index) {
      if (std::this_thread::get_id() != here) alone = false;
      sums[static_cast<std::size_t>(c)] += first;
    });
  });
  CHECK(alone);
  CHECK(sums == std::vector<Index>(20, 29 * 30 / 2));
  CHECK(thread_count() == 4);
}

TEST_CASE("parallel: many callers at once") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int k = 0; k < 6; ++k)
    callers.emplace_back([&, k] {
      for (int times = 0; times < 200; ++times) wrong += covers(50 + k, 1 + times % 5, 2 + times % 3) ? 0 : 1;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("parallel: a helper computes as its caller does, and what a chunk changes is seen by the caller") {
  const FloatingPointMode before = FloatingPointMode::now();
  std::fesetround(FE_UPWARD);
  int seen = -1;
  on_a_helper([&] { seen = std::fegetround(); });
  CHECK(seen == FE_UPWARD);
  CHECK(std::fegetround() == FE_UPWARD);
  (void)before.put_back();
  on_a_helper([&] { seen = std::fegetround(); });
  CHECK(seen == FE_TONEAREST);
  on_a_helper([] { std::fesetround(FE_DOWNWARD); });
  CHECK(std::fegetround() == FE_DOWNWARD);
  CHECK(before.put_back() == "the rounding mode");
}

// A child of a process with threads may find the allocator of the address sanitizer locked for ever.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kAllocatorMayStayLocked = true;
#else
constexpr bool kAllocatorMayStayLocked = false;
#endif

TEST_CASE("parallel: a child of a fork has loops of its own, and no threads before the first" *
          doctest::skip(kAllocatorMayStayLocked)) {
  CHECK(covers(100, 1, 3));
  std::atomic<bool> over = false;
  std::thread busy([&] {
    while (!over) (void)covers(100, 1, 3);
  });
  for (int k = 0; k < 20; ++k) {
    const int code = in_child([] {
      if (!covers(100, 1, 1) || threads_of_process() != 1) return 1;
#ifdef __SANITIZE_THREAD__
      return 0;  // the sanitizer knows no threads in a child of a process with threads
#endif
      if (!covers(100, 1, 3)) return 2;
      return threads_of_process() == 3 ? 0 : 3;
    });
    CHECK(code == 0);
  }
  over = true;
  busy.join();
#ifdef __SANITIZE_THREAD__
  MESSAGE("not tried under the thread sanitizer: loops on several threads in a child");
#endif
}

TEST_CASE("parallel: a child that was forked inside a loop cannot come back to it") {
  const ThreadScope scope(2);
  const pid_t self = ::getpid();
  const auto caller = std::this_thread::get_id();
  int code = -1;
  // The caller may come too late for a chunk.
  for (int k = 0; k < 1000 && code < 0; ++k) try {
      for_chunks(2, 1, [&](Index, Index, Index) {
        if (std::this_thread::get_id() != caller || code >= 0) return;
        const pid_t child = ::fork();
        if (child == 0) return void(::alarm(30));
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        code = WIFEXITED(status) ? WEXITSTATUS(status) : 99;
      });
      if (::getpid() != self) ::_exit(8);
    } catch (const std::exception&) {
      if (::getpid() != self) ::_exit(7);
      throw;
    }
  CHECK(code == 7);
}
