// SPDX-License-Identifier: BSD-3-Clause
/// @file thread_world.hpp  Ranks that are threads of one process.
#pragma once

#include <claros/error.hpp>
#include <claros/world.hpp>

#include <algorithm>
#include <barrier>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace claros::test {

/// What the threads share.
struct Meeting {
  explicit Meeting(int size)
      : all(size),
        send(static_cast<std::size_t>(size)),
        values(static_cast<std::size_t>(size)),
        errors(static_cast<std::size_t>(size)) {}
  std::barrier<> all;
  std::vector<std::vector<std::span<const double>>> send;
  std::vector<Index> values;
  std::vector<std::optional<Error>> errors;
};

/// A rank that is a thread.
class ThreadWorld final : public World {
 public:
  ThreadWorld(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return static_cast<int>(meeting_.send.size()); }
  Index largest(const char*, Index value) override {
    meeting_.values[me()] = value;
    agree(std::nullopt);
    const Index found = *std::max_element(meeting_.values.begin(), meeting_.values.end());
    meeting_.all.arrive_and_wait();
    return found;
  }
  void exchange(const char*, const std::vector<std::span<const double>>& send,
                const std::vector<std::span<double>>& receive) override {
    meeting_.send[me()] = send;
    agree(std::nullopt);
    bool fits = true;
    for (std::size_t r = 0; r < receive.size(); ++r) {
      const auto from = meeting_.send[r][me()];
      fits = fits && from.size() == receive[r].size();
      if (fits) std::copy(from.begin(), from.end(), receive[r].begin());
    }
    meeting_.all.arrive_and_wait();
    if (!fits) throw Error(ErrorKind::plugin, "exchange", "sizes differ");
  }
  /// Where all ranks have thrown before, that was the error of this one or of another: none waits.
  void fail(const char*, const Error& error) override {
    if (!thrown_) agree(error);
    throw error;
  }

 private:
  std::size_t me() const { return static_cast<std::size_t>(rank_); }
  void agree(const std::optional<Error>& own) {
    meeting_.errors[me()] = own;
    meeting_.all.arrive_and_wait();
    std::optional<Error> first;
    for (const auto& error : meeting_.errors)
      if (error && !first) first = error;
    meeting_.all.arrive_and_wait();
    thrown_ = thrown_ || first;
    if (first) throw *first;
  }

  Meeting& meeting_;
  int rank_;
  bool thrown_ = false;
};

/// What `work` gives on each of the ranks.
template <class Result>
std::vector<Result> on_ranks(int size, const std::function<Result(World&)>& work) {
  Meeting meeting(size);
  std::vector<Result> results(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      ThreadWorld world(meeting, rank);
      results[static_cast<std::size_t>(rank)] = work(world);
    });
  for (std::thread& thread : threads) thread.join();
  return results;
}

}  // namespace claros::test
