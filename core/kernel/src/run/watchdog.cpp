// SPDX-License-Identifier: BSD-3-Clause
#include <claros/run/watchdog.hpp>

#include "thread_times.hpp"

#include <claros/parameters.hpp>

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <utility>

namespace claros {

namespace {

constexpr auto kPeriod = std::chrono::milliseconds(50);
// A step may take longer than those before it. If calls of components return, their caller may be about to
// end by itself (interruption.hpp), and has so many times the grace.
constexpr double kLonger = 1.5, kMoving = 4.0;
// Graces that a library call may go on after stop.seconds.
constexpr double kInLibrary = 8.0;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string text_of(const LibraryCall::UnderWay& call, const char* what) {
  return std::string(what) + " of a " + std::to_string(call.rows) + " x " + std::to_string(call.cols) +
         " matrix";
}

std::string tenths(double seconds) {
  return print_real(static_cast<double>(static_cast<long>(seconds * 10.0)) / 10.0);
}

}  // namespace

/// There are as many as there are components in a composition.
const char* interned(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string>* const names = new std::set<std::string>;  // read by threads that outlive main
  const std::lock_guard lock(mutex);
  return names->insert(name).first->c_str();
}

void CallsUnderWay::enter(const char* who, bool measuring) noexcept {
  const std::size_t k = depth_.load(std::memory_order_relaxed);
  if (k < kMost) {
    entries_[k].who.store(who, std::memory_order_relaxed);
    entries_[k].measuring.store(measuring, std::memory_order_relaxed);
    entries_[k].number.store(++calls_, std::memory_order_relaxed);
  }
  depth_.store(k + 1, std::memory_order_release);
}

std::size_t CallsUnderWay::depth() const noexcept {
  return std::min(kMost, depth_.load(std::memory_order_acquire));
}

CallsUnderWay::Call CallsUnderWay::at(std::size_t k) const noexcept {
  return {entries_[k].who.load(), entries_[k].number.load(), entries_[k].measuring.load()};
}

Watchdog::Watchdog(Act act, double grace, const std::atomic<bool>* at_once)
    : act_(std::move(act)),
      grace_(grace),
      at_once_(at_once),
      load_(std::make_unique<LoadOfProcess>()),
      watching_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  watching_.join();
}

void Watchdog::begin(std::shared_ptr<const Ledger> ledger, const std::atomic<bool>* interrupt, double seconds,
                     std::function<RunResult()> last) {
  const std::lock_guard lock(mutex_);
  ledger_ = std::move(ledger);
  interrupt_ = interrupt;
  last_ = std::move(last);
  limit_.reset(), interrupted_.reset();
  const Time now = Clock::now();
  constexpr double kForever = 1e9;
  seconds_ = std::max(seconds, 0.0);
  if (seconds < kForever)
    limit_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
  sign_ = now.time_since_epoch().count();
  longest_ = 0;
  seen_ = {};
  moved_ = now;
  told_ = false;
  library_ = &LibraryCall::of_this_thread();
  thread_ = ::gettid();
  if (::pthread_getcpuclockid(::pthread_self(), &clock_) != 0) clock_ = CLOCK_PROCESS_CPUTIME_ID;
  from_ = {};
  in_library_ = 0.0;
}

void Watchdog::end() {
  const std::lock_guard lock(mutex_);
  ledger_.reset(), last_ = {}, library_ = nullptr;
}

void Watchdog::alive() {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  const Clock::rep took = now - sign_.exchange(now, std::memory_order_relaxed);
  if (took > longest_.load(std::memory_order_relaxed)) longest_.store(took, std::memory_order_relaxed);
}

void Watchdog::expect(double seconds) {
  const auto ticks =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds / kLonger)).count();
  if (ticks > longest_.load(std::memory_order_relaxed)) longest_.store(ticks, std::memory_order_relaxed);
}

/// When the run was to end, if that is past.
std::optional<Watchdog::Time> Watchdog::due(Time now) {
  if (!ledger_ || told_) return std::nullopt;
  if (!interrupted_ && interrupt_ && interrupt_->load()) interrupted_ = now;
  std::optional<Time> due = limit_;
  if (interrupted_ && (!due || *interrupted_ < *due)) due = interrupted_;
  return due && *due < now ? due : std::nullopt;
}

/// The part of the time since the last check that the run does not answer for. A thread that is ready to run
/// answers for what it did; one that sleeps does so unless another one, which it may wait for, waits for a
/// processor. If the system says neither, an eighth of the time counts. A check that comes late, as after a
/// suspension, excuses the delay.
void Watchdog::note_excused(Time now, Time from) {
  const double worked = seconds_of(clock_);
  const auto load = load_->since_last();
  if (from != from_) {
    if (from_ == Time{}) looked_ = now, worked_ = worked;
    from_ = from;
    excused_ = excused_of_call_ = 0.0;
  }
  const double passed = seconds_between(looked_, now), work = worked - worked_, rest = passed - work,
               late = passed - 4.0 * std::chrono::duration<double>(kPeriod).count();
  const auto runnable = is_runnable(thread_);
  double excuse = runnable && *runnable ? rest
                  : load                ? std::chrono::duration<double>(*load).count()
                                        : 0.875 * rest;
  if (in_library()) {
    excuse += work;
    in_library_ += work;
  }
  excuse = std::clamp(std::max(excuse, late), 0.0, passed);
  excused_ += excuse;
  excused_of_call_ += excuse;
  looked_ = now;
  worked_ = worked;
}

bool Watchdog::overdue(Time now) {
  const auto end = due(now);
  if (!end) {
    load_->forget();
    from_ = {};
    return false;
  }
  const double longest =
      std::chrono::duration<double>(Clock::duration(longest_.load(std::memory_order_relaxed))).count();
  const double grace = std::max(grace_, kLonger * longest);
  // A run that ends late, because what it did before was long, is given its time from there on.
  const Time from = std::max(*end, Time{Clock::duration(sign_.load(std::memory_order_relaxed))});
  note_excused(now, from);
  const double since = seconds_between(from, now) - excused_;
  const double unmoved = moved_ > from ? seconds_between(moved_, now) - excused_of_call_ : since;
  return unmoved > grace || since > kMoving * grace || end_in_library(now);
}

/// The limit has been passed for too long by a library call.
bool Watchdog::end_in_library(Time now) const {
  return in_library() && !interrupted_ && limit_ && *limit_ < now &&
         in_library_ > std::max(kInLibrary * grace_, seconds_);
}

/// A call has lasted since its number was first seen.
void Watchdog::note_calls(Time now) {
  if (!ledger_) return;
  const std::size_t depth = ledger_->calls.depth();
  for (std::size_t k = 0; k < depth; ++k)
    if (const auto number = ledger_->calls.at(k).number; number != seen_[k].number) {
      seen_[k] = {number, now};
      moved_ = now;
      excused_of_call_ = 0.0;
    }
  for (std::size_t k = depth; k < seen_.size(); ++k) seen_[k] = {};
}

/// The innermost one that has lasted for half of the grace: those inside it come back.
std::optional<CallsUnderWay::Call> Watchdog::stuck_call(Time now) const {
  const auto enough = std::chrono::duration<double>(0.5 * grace_);
  for (std::size_t k = ledger_->calls.depth(); k-- > 0;)
    if (const auto call = ledger_->calls.at(k);
        call.number == seen_[k].number && now - seen_[k].since >= enough)
      return call;
  return std::nullopt;
}

Stuck Watchdog::found() {
  Stuck stuck{last_(), {}};
  const Time now = Clock::now();
  const auto call = stuck_call(now);
  const char* const in_library = library_ ? library_->what.load() : nullptr;
  const bool measuring = call && call->measuring, at_once = at_once_ && at_once_->load();
  if (call && !measuring && call->who && !in_library) stuck.inside = call->who;
  const std::string who = in_library              ? text_of(*library_, in_library)
                          : measuring             ? "measuring"
                          : !stuck.inside.empty() ? stuck.inside
                                                  : "the run";
  const std::string kept = "the solution is the last point that was measured";
  stuck.last.status = interrupted_ || at_once             ? Status::interrupted
                      : in_library && end_in_library(now) ? Status::seconds
                                                          : Status::failed;
  if (at_once) {
    stuck.last.note = "a second interrupt ended the run inside " + who + ": " + kept;
  } else if (stuck.last.status == Status::seconds) {
    stuck.last.note = "the step under way was given up after stop.seconds, inside " + who +
                      ", which cannot be interrupted: " + kept;
  } else {
    const std::string remedy =
        stuck.inside.empty()
            ? "give more time"
            : "where such calls are sound but long, give more time, else report it to the plugin's author";
    const Time sign{Clock::duration(sign_.load())};
    stuck.last.failure_kind = stuck.inside.empty() ? ErrorKind::numerical : ErrorKind::plugin;
    stuck.last.failure = "after " + std::to_string(stuck.last.iterations) +
                         (stuck.last.iterations == 1 ? " step: " : " steps: ") + who +
                         " has not come back for " + tenths(seconds_between(sign, now)) + " s, and " +
                         (interrupted_ ? "the interrupt" : "stop.seconds") + " went unheard (" + kept + "; " +
                         remedy + ")";
  }
  return stuck;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    wake_.wait_for(lock, kPeriod);
    if (over_) continue;
    note_calls(Clock::now());
    const bool at_once = ledger_ && !told_ && at_once_ && at_once_->load();
    if (!overdue(Clock::now()) && !at_once) continue;
    told_ = true;
    act_(found());
  }
}

}  // namespace claros
