// SPDX-License-Identifier: BSD-3-Clause
/// @file watchdog.hpp  For a step that does not end: code that never returns cannot be stopped within the
/// process, but it can be named, and what the run had before can be kept.
#pragma once

#include <claros/library_call.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/watch/watched.hpp>

#include <sys/types.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace claros {

class LoadOfProcess;

/// What a watchdog found.
struct CLAROS_API Stuck {
  /// The run as it was when it was last measured, with the wall time of now. The status is `interrupted`
  /// after an interrupt. After stop.seconds it is `failed`, or `seconds` if a library call (library_call.hpp)
  /// goes on. `failure` names what does not come back; it is empty, and `note` says what was under way, if
  /// nothing is at fault: in such a library call, and after a second interrupt.
  RunResult last;
  /// "set/slow": the innermost component of which one call has lasted as long as the grace; empty if there
  /// is none (calls come back, and the caller does not), or if it is in a library call.
  std::string inside;
};

/// Watches a run from a thread of its own. When the run continues for longer than a grace after
/// stop.seconds or an interrupt, it calls `act`, once a run, from that thread; until `act` returns, the run
/// waits at its next sign of life, so that only one of them reports.
///
/// The grace is `grace` seconds, or one and a half times the longest step or measurement that this run has
/// made, and for a first measurement at the end a tenth of the run's time. Where calls of components come
/// back it waits four times as long. A thread that is ready to run is charged with its processor time: a busy
/// machine is no fault. One that sleeps or waits for a lock is charged with the wall time, unless another
/// thread of the process waits for a processor meanwhile. Time in which the run's thread works in a library
/// call does not count after an interrupt, and after stop.seconds for as long as that again, at least eight
/// times the grace.
///
/// After a second interrupt (`at_once`) it acts within a moment. A run without stop.seconds that is not
/// interrupted is never disturbed.
///
/// `act` is to end the process (as the program does), or to notify a program that does. `last` shares its
/// arrays with a run that may be at work: read it in a child process, or once the run is known not to move.
class CLAROS_API Watchdog {
 public:
  static constexpr double kGrace = 1.25;  ///< with what writing takes, two seconds from word to answer
  using Act = std::function<void(const Stuck&)>;

  /// `at_once`, which may be null, outlives it.
  explicit Watchdog(Act act, double grace = kGrace, const std::atomic<bool>* at_once = nullptr);
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
  std::optional<Time> due(Time now);
  void note_excused(Time now, Time from);
  bool overdue(Time now);
  Stuck found();
  std::optional<CallsUnderWay::Call> stuck_call(Time now) const;

  bool in_library() const { return library_ && library_->what.load(); }
  bool end_in_library(Time now) const;

  const Act act_;
  const double grace_;
  const std::atomic<bool>* const at_once_;
  const std::unique_ptr<LoadOfProcess> load_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const Ledger> ledger_;  // of the run under way; null: none
  const std::atomic<bool>* interrupt_ = nullptr;
  std::function<RunResult()> last_;
  std::array<Seen, CallsUnderWay::kMost> seen_{};
  Time moved_{};  // when a call was first seen
  std::optional<Time> limit_, interrupted_;
  double seconds_ = 0.0;                            // until the limit
  const LibraryCall::UnderWay* library_ = nullptr;  // of the run's thread
  pid_t thread_ = 0;                                // its number
  clockid_t clock_ = 0;                             // its processor time
  Time from_{}, looked_{};                          // what is excused counts from here, and up to here
  double worked_ = 0.0;                             // processor seconds at looked_
  // Seconds: since from_; since a call was first seen; in library calls since the limit.
  double excused_ = 0.0, excused_of_call_ = 0.0, in_library_ = 0.0;
  std::atomic<Clock::rep> sign_ = 0, longest_ = 0;
  bool told_ = false, over_ = false;
  std::thread watching_;
};

}  // namespace claros
