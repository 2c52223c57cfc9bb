// SPDX-License-Identifier: BSD-3-Clause
#include <claros/interruption.hpp>

#include "thread_times.hpp"

namespace claros {

namespace {

Interruption*& innermost() noexcept {
  thread_local Interruption* scope = nullptr;
  return scope;
}

/// Wall time without what this thread spent waiting for a processor. The system is asked a hundred times a
/// second.
Interruption::Clock::time_point without_load(Interruption::Clock::time_point now, bool anew) noexcept {
  constexpr auto kStands = std::chrono::milliseconds(10);
  thread_local Interruption::Clock::time_point asked{};
  thread_local std::chrono::nanoseconds load{0};
  if (anew || now - asked >= kStands) load = load_of_this_thread(), asked = now;
  return now - load;
}

}  // namespace

Interrupted::~Interrupted() = default;

Interruption::Interruption(const Limits& limits) noexcept : limits_(limits), outer_(innermost()) {
  innermost() = this;
}

Interruption::~Interruption() { innermost() = outer_; }

std::optional<Interrupted::Cause> Interruption::requested() noexcept {
  Interruption* scope = innermost();
  if (!scope) return std::nullopt;
  const Clock::time_point now = Clock::now();
  for (; scope; scope = scope->outer_)
    if (const auto cause = scope->cause(now)) return cause;
  return std::nullopt;
}

std::optional<Interrupted::Cause> Interruption::cause(Clock::time_point now) noexcept {
  if (!seen_ && limits_.interrupt && limits_.interrupt->load(std::memory_order_relaxed))
    seen_ = without_load(now, true);
  if (seen_ && without_load(now, false) - *seen_ >= limits_.grace) return Interrupted::Cause::interrupt;
  if (limits_.deadline && now >= *limits_.deadline) return Interrupted::Cause::deadline;
  return std::nullopt;
}

}  // namespace claros
