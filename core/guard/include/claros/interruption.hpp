// SPDX-License-Identifier: BSD-3-Clause
/// @file interruption.hpp  Interruption of the work under way on a thread.
#pragma once

#include <claros/api.hpp>

#include <atomic>
#include <chrono>
#include <optional>

namespace claros {

/// Thrown by Interruption::poll. It is not a std::exception: a handler of errors does not take it for one,
/// and `contain` passes it on unchanged.
class CLAROS_API Interrupted {
 public:
  enum class Cause { interrupt, deadline };
  explicit Interrupted(Cause cause) noexcept : cause_(cause) {}
  virtual ~Interrupted();
  Cause cause() const noexcept { return cause_; }

 private:
  Cause cause_;
};

/// The limits of the work that the current thread does while the object lives. Scopes nest: the limits of
/// outer ones stay in force. Long loops of the framework (Lanczos steps, sweeps, restarts, iterations of a
/// splitting) call `poll` once per product or iteration. A call costs a few tens of nanoseconds. Without an
/// open scope nothing is polled. No result depends on a scope, other than by being abandoned. Other threads
/// have scopes of their own.
class CLAROS_API Interruption {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    const std::atomic<bool>* interrupt =
        nullptr;  ///< set from any thread or signal handler; outlives the scope
    Clock::duration grace =
        Clock::duration::zero();  ///< how long work goes on after `interrupt` was first seen
    std::optional<Clock::time_point> deadline = std::nullopt;
  };

  explicit Interruption(const Limits& limits) noexcept;
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The cause for which the work of this thread is to be abandoned now, if there is one.
  static std::optional<Interrupted::Cause> requested() noexcept;
  /// Throws Interrupted if `requested` has a cause.
  static void poll() {
    if (const auto cause = requested()) throw Interrupted(*cause);
  }

 private:
  std::optional<Interrupted::Cause> cause(Clock::time_point now) noexcept;

  Limits limits_;
  std::optional<Clock::time_point> seen_;  ///< when the interrupt was first seen
  Interruption* outer_;
};

}  // namespace claros
