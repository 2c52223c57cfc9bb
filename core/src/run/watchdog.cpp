// SPDX-License-Identifier: BSD-3-Clause
#include <claros/run/watchdog.hpp>

#include <claros/parameters.hpp>
#include <claros/run/watched.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace claros {

namespace {

constexpr auto kPeriod = std::chrono::milliseconds(50);
// A step may take longer than those before it.
constexpr double kLonger = 1.5;

std::string tenths(double seconds) { return print_real(static_cast<double>(static_cast<long>(seconds * 10.0)) / 10.0); }

}  // namespace

/// There are as many as there are components in a composition.
const char* interned(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string>* const names = new std::set<std::string>;  // read by threads that outlive main
  const std::lock_guard lock(mutex);
  return names->insert(name).first->c_str();
}

Watchdog::Watchdog(Act act, double grace) : act_(std::move(act)), grace_(grace), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Watchdog::begin(std::shared_ptr<const Ledger> ledger, const std::atomic<bool>* interrupt, double seconds, std::function<RunResult()> last) {
  const std::lock_guard lock(mutex_);
  ledger_ = std::move(ledger), interrupt_ = interrupt, last_ = std::move(last);
  limit_.reset(), interrupted_.reset();
  const Time now = Clock::now();
  constexpr double kForever = 1e9;
  if (seconds < kForever) limit_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::max(seconds, 0.0)));
  sign_ = now.time_since_epoch().count(), longest_ = 0;
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
  const auto ticks = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds / kLonger)).count();
  if (ticks > longest_.load(std::memory_order_relaxed)) longest_.store(ticks, std::memory_order_relaxed);
}

bool Watchdog::overdue(Time now) {
  if (!ledger_ || told_) return false;
  if (!interrupted_ && interrupt_ && interrupt_->load()) interrupted_ = now;
  std::optional<Time> due = limit_;
  if (interrupted_ && (!due || *interrupted_ < *due)) due = interrupted_;
  if (!due) return false;
  const double longest = std::chrono::duration<double>(Clock::duration(longest_.load(std::memory_order_relaxed))).count();
  const auto grace = std::chrono::duration<double>(std::max(grace_, kLonger * longest));
  // A run that ends late, because what it did before was long, is given its time from there on.
  const Time sign{Clock::duration(sign_.load(std::memory_order_relaxed))};
  return now - std::max(*due, sign) > grace;
}

Stuck Watchdog::found() {
  Stuck stuck{last_(), {}};
  if (const char* name = ledger_->inside.load()) stuck.inside = name;
  const Time sign{Clock::duration(sign_.load())};
  const double silent = std::chrono::duration<double>(Clock::now() - sign).count();
  stuck.last.status = interrupted_ ? Status::interrupted : Status::failed;
  stuck.last.failure_kind = stuck.inside.empty() ? ErrorKind::numerical : ErrorKind::plugin;
  stuck.last.failure = "after " + std::to_string(stuck.last.iterations) + (stuck.last.iterations == 1 ? " step: " : " steps: ") +
                       (stuck.inside.empty() ? "the run" : stuck.inside) + " has not come back for " + tenths(silent) + " s, and " +
                       (interrupted_ ? "the interrupt" : "stop.seconds") +
                       " went unheard (the answer is the last point that was measured; where such calls are sound but long, give more "
                       "time, else report it to the plugin's author)";
  return stuck;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    wake_.wait_for(lock, kPeriod);
    if (over_ || !overdue(Clock::now())) continue;
    told_ = true;
    act_(found());
  }
}

}  // namespace claros
