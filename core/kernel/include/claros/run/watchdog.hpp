// SPDX-License-Identifier: BSD-3-Clause
/// @file watchdog.hpp  For a step that does not end: code that never returns cannot be stopped within the
/// process, but it can be named, and what the run had before can be kept.
#pragma once

#include <claros/run/run_loop.hpp>
#include <claros/watch/watched.hpp>

#include <array>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace claros {

/// What a watchdog found.
struct CLAROS_API Stuck {
  /// The run as it was when it was last measured: `failure` names the component that does not come back; the
  /// status is `interrupted` after an interrupt, else `failed`.
  RunResult last;
  /// "set/slow": the innermost component of which one call has lasted as long as the grace; empty where there
  /// is none: calls come back, and the caller does not.
  std::string inside;
};

/// Watches a run from a thread of its own. When the run continues for longer than a grace after
/// stop.seconds or an interrupt, it calls `act`, once a run, from that thread; until `act` returns, the run
/// waits at its next sign of life, so that only one of them reports. Where calls of components come back it
/// waits four times as long. The grace is `grace` seconds, or one and a half times the longest step or
/// measurement that this run has made, and for a first measurement at the end a tenth of the run's time. A
/// run without stop.seconds that is not interrupted is never disturbed.
///
/// `act` is to end the process (as the program does), or to notify a program that does. `last` shares its
/// arrays with a run that may be at work: read it in a child process, or once the run is known not to move.
class CLAROS_API Watchdog {
 public:
  static constexpr double kGrace = 1.25;  ///< with what writing takes, two seconds from word to answer
  using Act = std::function<void(const Stuck&)>;

  explicit Watchdog(Act act, double grace = kGrace);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Called by the run.
  /// `last` gives the result as of the last measured point; it is called while `holding` is not under way.
  void begin(std::shared_ptr<const Ledger> ledger, const std::atomic<bool>* interrupt, double seconds,
             std::function<RunResult()> last);
  void end();
  /// A step or a measurement begins or ends here.
  void alive();
  /// The first work of its kind starts here: it may take so long.
  void expect(double seconds);
  /// While the caller changes what `last` reads.
  std::unique_lock<std::mutex> holding() { return std::unique_lock(mutex_); }

 private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  /// A call under way, and when it was first seen.
  struct Seen {
    std::uint64_t number = 0;
    Time since{};
  };
  void watch();
  void note_calls(Time now);
  bool overdue(Time now);
  Stuck found();
  std::optional<CallsUnderWay::Call> stuck_call(Time now) const;

  const Act act_;
  const double grace_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const Ledger> ledger_;  // of the run under way; null: none
  const std::atomic<bool>* interrupt_ = nullptr;
  std::function<RunResult()> last_;
  std::array<Seen, CallsUnderWay::kMost> seen_{};
  Time moved_{};  // when a call was first seen
  std::optional<Time> limit_, interrupted_;
  std::atomic<Clock::rep> sign_ = 0, longest_ = 0;
  bool told_ = false, over_ = false;
  std::thread thread_;
};

}  // namespace claros
