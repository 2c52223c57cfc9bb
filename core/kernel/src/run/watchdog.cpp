// SPDX-License-Identifier: BSD-3-Clause
#include <claros/run/watchdog.hpp>

#include <claros/parameters.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace claros {

namespace {

constexpr auto kPeriod = std::chrono::milliseconds(50);
// A step may take longer than those before it. If calls of components return, their caller may be about to
// end by itself (interruption.hpp), and has so many times the grace.
constexpr double kLonger = 1.5, kMoving = 4.0;

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

Watchdog::Watchdog(Act act, double grace)
    : act_(std::move(act)), grace_(grace), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Watchdog::begin(std::shared_ptr<const Ledger> ledger, const std::atomic<bool>* interrupt, double seconds,
                     std::function<RunResult()> last) {
  const std::lock_guard lock(mutex_);
  ledger_ = std::move(ledger), interrupt_ = interrupt, last_ = std::move(last);
  limit_.reset(), interrupted_.reset();
  const Time now = Clock::now();
  constexpr double kForever = 1e9;
  if (seconds < kForever)
    limit_ = now + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(std::max(seconds, 0.0)));
  sign_ = now.time_since_epoch().count(), longest_ = 0;
  seen_ = {}, moved_ = now;
  told_ = false;
}

void Watchdog::end() {
  const std::lock_guard lock(mutex_);
  ledger_.reset(), last_ = {};
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

bool Watchdog::overdue(Time now) {
  if (!ledger_ || told_) return false;
  if (!interrupted_ && interrupt_ && interrupt_->load()) interrupted_ = now;
  std::optional<Time> due = limit_;
  if (interrupted_ && (!due || *interrupted_ < *due)) due = interrupted_;
  if (!due) return false;
  const double longest =
      std::chrono::duration<double>(Clock::duration(longest_.load(std::memory_order_relaxed))).count();
  const auto grace = std::chrono::duration<double>(std::max(grace_, kLonger * longest));
  // A run that ends late, because what it did before was long, is given its time from there on.
  const Time from = std::max(*due, Time{Clock::duration(sign_.load(std::memory_order_relaxed))});
  return now - std::max(from, moved_) > grace || now - from > kMoving * grace;
}

/// A call has lasted since its number was first seen.
void Watchdog::note_calls(Time now) {
  if (!ledger_) return;
  const std::size_t depth = ledger_->calls.depth();
  for (std::size_t k = 0; k < depth; ++k)
    if (const auto number = ledger_->calls.at(k).number; number != seen_[k].number)
      seen_[k] = {number, now}, moved_ = now;
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
  const auto call = stuck_call(Clock::now());
  const bool measuring = call && call->measuring;
  if (call && !measuring && call->who) stuck.inside = call->who;
  const std::string who = measuring ? "measuring" : stuck.inside.empty() ? "the run" : stuck.inside;
  const std::string remedy =
      stuck.inside.empty()
          ? "give more time"
          : "where such calls are sound but long, give more time, else report it to the plugin's author";
  const Time sign{Clock::duration(sign_.load())};
  const double silent = std::chrono::duration<double>(Clock::now() - sign).count();
  stuck.last.status = interrupted_ ? Status::interrupted : Status::failed;
  stuck.last.failure_kind = stuck.inside.empty() ? ErrorKind::numerical : ErrorKind::plugin;
  stuck.last.failure = "after " + std::to_string(stuck.last.iterations) +
                       (stuck.last.iterations == 1 ? " step: " : " steps: ") + who +
                       " has not come back for " + tenths(silent) + " s, and " +
                       (interrupted_ ? "the interrupt" : "stop.seconds") +
                       " went unheard (the solution is the last point that was measured; " + remedy + ")";
  return stuck;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    wake_.wait_for(lock, kPeriod);
    if (over_) continue;
    note_calls(Clock::now());
    if (!overdue(Clock::now())) continue;
    told_ = true;
    act_(found());
  }
}

}  // namespace claros
