// SPDX-License-Identifier: BSD-3-Clause
#include <claros/contain.hpp>
#include <claros/interruption.hpp>
#include <claros/library_call.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

using claros::Interrupted;
using claros::Interruption;

namespace {

using Cause = Interrupted::Cause;
const Interruption::Clock::time_point kPast = Interruption::Clock::now() - std::chrono::hours(1);
const Interruption::Clock::time_point kFuture = Interruption::Clock::now() + std::chrono::hours(1);

}  // namespace

TEST_CASE("interruption: work goes on without a scope, and where no limit is reached") {
  CHECK_FALSE(Interruption::requested());
  std::atomic<bool> flag = false;
  const Interruption scope({.interrupt = &flag, .deadline = kFuture});
  CHECK_NOTHROW(Interruption::poll());
}

TEST_CASE(
    "interruption: a flag that is set and a deadline that has passed abandon the work, each by its cause") {
  std::atomic<bool> flag = true;
  {
    const Interruption scope({.interrupt = &flag});
    CHECK(Interruption::requested() == Cause::interrupt);
    CHECK_THROWS_AS(Interruption::poll(), Interrupted);
  }
  {
    const Interruption scope({.deadline = kPast});
    CHECK(Interruption::requested() == Cause::deadline);
  }
  CHECK_FALSE(Interruption::requested());
}

TEST_CASE("interruption: within the grace of an interrupt work goes on, and a deadline holds all the same") {
  std::atomic<bool> flag = true;
  const Interruption outer({.interrupt = &flag, .grace = std::chrono::hours(1)});
  CHECK_FALSE(Interruption::requested());
  const Interruption inner({.deadline = kPast});
  CHECK(Interruption::requested() == Cause::deadline);
}

TEST_CASE("interruption: the limits of an outer scope stay in force, and other threads have none of them") {
  const Interruption outer({.deadline = kPast});
  const Interruption inner({.deadline = kFuture});
  CHECK(Interruption::requested() == Cause::deadline);
  bool elsewhere = true;
  std::thread([&] { elsewhere = Interruption::requested().has_value(); }).join();
  CHECK_FALSE(elsewhere);
}

TEST_CASE("interruption: containment blames no component for it") {
  const Interruption scope({.deadline = kPast});
  CHECK_THROWS_AS(claros::contain("set/slow", [] { Interruption::poll(); }), Interrupted);
}

TEST_CASE(
    "interruption: the grace of a thread that sleeps passes, and a library call does not begin after it") {
  std::atomic<bool> flag = true;
  const Interruption scope({.interrupt = &flag, .grace = std::chrono::milliseconds(20)});
  CHECK_FALSE(Interruption::requested());
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  CHECK(Interruption::requested() == Cause::interrupt);
  CHECK_THROWS_AS(claros::LibraryCall("the decomposition", 2, 2), Interrupted);
  CHECK(claros::LibraryCall::of_this_thread().what.load() == nullptr);
}
