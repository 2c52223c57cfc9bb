// SPDX-License-Identifier: BSD-3-Clause
/// @file thread_times.hpp  Wall time without the load of the machine: what a thread does not answer for.
#pragma once

#include <claros/api.hpp>

#include <chrono>
#include <map>
#include <optional>

#include <sys/types.h>

namespace claros {

/// Whether the thread is on a processor or ready to be, and does not sleep or wait; nothing where the system
/// does not say.
std::optional<bool> is_runnable(pid_t thread) noexcept;

/// How long the calling thread has waited for a processor so far. Where the system does not say, seven
/// eighths of the time that it spent off the processor.
std::chrono::nanoseconds load_of_this_thread() noexcept;

/// The load that this process met between two looks: the longest that one of its threads has waited for a
/// processor. Nothing where the system does not say.
class LoadOfProcess {
 public:
  /// Since the last look; nothing at the first one.
  std::optional<std::chrono::nanoseconds> since_last();
  void forget() noexcept { waited_.clear(); }

 private:
  std::map<pid_t, std::chrono::nanoseconds> waited_;
};

}  // namespace claros
