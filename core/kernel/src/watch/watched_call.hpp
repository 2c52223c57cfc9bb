// SPDX-License-Identifier: BSD-3-Clause
/// @file watched_call.hpp  One call through a watcher.
#pragma once

#include <claros/at_work.hpp>
#include <claros/contain.hpp>
#include <claros/watch/watched.hpp>

#include <chrono>
#include <utility>

#include "surroundings.hpp"

namespace claros {

/// Says who is at work while it lives (Ledger::calls, and to its own thread). Cheap: the run alone writes.
class Inside {
 public:
  explicit Inside(const Watch& watch) : at_work_(watch.label), calls_(watch.ledger->calls) {
    calls_.enter(watch.label);
  }
  ~Inside() { calls_.leave(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  AtWork at_work_;
  CallsUnderWay& calls_;
};

/// contain(), where errors that name a key of the component name its whole path.
template <class Call>
decltype(auto) contain(const Watch& watch, Call&& call) {
  return contain(watch.name, [&]() -> decltype(auto) {
    try {
      return std::forward<Call>(call)();
    } catch (const Error& error) {
      throw watch.place.with_path(error);
    }
  });
}

/// Contains the call as contain_whole() does.
template <class Call>
void contain_whole(const Watch& watch, Call&& call) {
  contain_whole(watch.name, [&] {
    try {
      call();
    } catch (const Error& error) {
      throw watch.place.with_path(error);
    }
  });
}

/// The clock of a watched call, and whether its work counts: only the outermost call's does.
class WatchedCall {
 public:
  WatchedCall(const Watch& watch, double ComponentSeconds::*clock)
      : inside_(watch),
        ledger_(*watch.ledger),
        clock_(clock),
        partial_(watch.partial),
        outermost_(ledger_.depth++ == 0),
        begin_(outermost_ ? Clock::now() : Clock::time_point()) {}
  ~WatchedCall() {
    --ledger_.depth;
    if (outermost_ && ledger_.seconds)
      ledger_.seconds->*clock_ += std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

  /// True if this is work of a run.
  bool counts() const { return outermost_ && ledger_.counts; }
  /// add(counts), where they count.
  template <class Add>
  void count(Add&& add) const {
    if (!counts()) return;
    if (!partial_) return void(add(*ledger_.counts));
    Counts apart;
    add(apart);
    ledger_.counts->partial_sfo += apart.sfo + apart.hvp;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Inside inside_;
  Ledger& ledger_;
  double ComponentSeconds::*clock_;
  bool partial_;
  bool outermost_;
  Clock::time_point begin_;
};

}  // namespace claros
