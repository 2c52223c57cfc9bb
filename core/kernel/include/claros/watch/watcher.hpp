// SPDX-License-Identifier: BSD-3-Clause
/// @file watcher.hpp  The watcher of an ability: calls through it are contained, timed and counted.
///
/// Core watches its own abilities. Another ability brings its watcher with it, as a member `Watched`. Core
/// knows the ability from the first `offer` of a component on (component.hpp).
///
///     class Sum {
///      public:
///       static constexpr std::string_view kAbility = "my.sum/1";
///       static constexpr std::string_view kWords = "a sum";
///       struct Watched;
///       virtual ~Sum() = default;
///       virtual double sum() const = 0;
///     };
///     struct Sum::Watched final : Watcher<Sum> {
///       using Watcher::Watcher;
///       double sum() const override {
///         return call([&] { return inner_.sum(); });
///       }
///     };
#pragma once

#include <claros/contain.hpp>
#include <claros/watch/watched.hpp>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

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

/// An ability as the watchers know it.
struct KnownAbility {
  std::string_view id, words;
  /// The watcher of `ability`, which `owner` offers; null: the ability passes as it is.
  std::shared_ptr<void> (*watch)(void* ability, Component& owner, const Watch& watch) = nullptr;
};
/// The abilities of core, and behind them, by id, those that a component has offered in this process.
CLAROS_API std::vector<KnownAbility> known_abilities();
/// Adds an ability of others. The first of an id stays.
CLAROS_API void make_known(const KnownAbility& ability);

template <class Ability, class Watcher>
std::shared_ptr<void> make_watcher(void* inner, Component& owner, const Watch& watch) {
  return std::shared_ptr<Ability>(std::make_shared<Watcher>(*static_cast<Ability*>(inner), owner, watch));
}

/// Base of watchers: the inner ability and who offers it. `call` is contained, and timed by the clock of the
/// kind. A call that several threads may make at once is contained alone, by contain(watch_, ...).
template <class Ability>
class Watcher : public Ability {
 public:
  Watcher(Ability& inner, Component&, Watch watch) : inner_(inner), watch_(std::move(watch)) {}

  /// Called by `offer`, for an ability that has its watcher as a member `Watched`.
  static void make_known() {
    static const bool once = [] {
      using Watched = typename Ability::Watched;
      claros::make_known({Ability::kAbility, Ability::kWords, make_watcher<Ability, Watched>});
      return true;
    }();
    (void)once;
  }

 protected:
  template <class Call>
  decltype(auto) call(Call&& call) const {
    const WatchedCall timed(watch_, clock());
    return contain(watch_, std::forward<Call>(call));
  }
  double ComponentSeconds::*clock() const {
    return watch_.kind == Kind::objective || watch_.kind == Kind::smoother ? &ComponentSeconds::objective
                                                                           : &ComponentSeconds::oracle;
  }

  Ability& inner_;
  Watch watch_;
};

}  // namespace claros
