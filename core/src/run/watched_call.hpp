// SPDX-License-Identifier: BSD-3-Clause
/// @file watched_call.hpp  One call through a watcher.
#pragma once

#include <claros/contain.hpp>
#include <claros/run/watched.hpp>

#include <chrono>

namespace claros {

/// The clock of a watched call, and whether its work counts: only the outermost call's does.
class WatchedCall {
 public:
  WatchedCall(Ledger& ledger, double ComponentSeconds::*clock)
      : ledger_(ledger), clock_(clock), outermost_(ledger.depth++ == 0), begin_(outermost_ ? Clock::now() : Clock::time_point()) {}
  ~WatchedCall() {
    --ledger_.depth;
    if (outermost_ && ledger_.seconds)
      ledger_.seconds->*clock_ += std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

  /// add(counts), where they count.
  template <class Add>
  void count(Add&& add) const {
    if (outermost_ && ledger_.counts) add(*ledger_.counts);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Ledger& ledger_;
  double ComponentSeconds::*clock_;
  bool outermost_;
  Clock::time_point begin_;
};

}  // namespace claros
