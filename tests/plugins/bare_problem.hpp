// SPDX-License-Identifier: BSD-3-Clause
/// @file bare_problem.hpp  Problems of components that no composition has made.
#pragma once

#include <claros/run/dry_start.hpp>
#include <claros/watch/watched.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros::test {

/// Puts the components of a problem behind watchers, as composing does.
class WatchedProblem {
 public:
  explicit WatchedProblem(Problem bare, const ComponentNames& names = {}) : problem_(std::move(bare)) {
    auto ledger = std::make_shared<Ledger>();
    ledger->names = names;
    problem_.ledger = ledger;
    const Watch of_set{Kind::set, names.set, ledger};
    Membership* const membership = problem_.set ? query<Membership>(*problem_.set) : nullptr;
    watch<WatchedObjective>(problem_.objective, Watch{Kind::objective, names.objective, ledger});
    watch<WatchedEstimator>(problem_.estimator, Watch{Kind::estimator, names.estimator, ledger});
    watch<WatchedLinearOracle>(problem_.linear_oracle, membership, of_set);
    watch<WatchedProximalOracle>(problem_.projection, of_set);
    watch<WatchedProximalOracle>(problem_.penalty, Watch{Kind::penalty, names.penalty, ledger});
  }
  const Problem& operator*() const { return problem_; }

 private:
  template <class Watcher, class Interface, class... Arguments>
  void watch(Interface*& part, const Arguments&... arguments) {
    if (!part) return;
    std::shared_ptr<Watcher> watcher;
    if constexpr (std::is_constructible_v<Watcher, Interface&, const Arguments&...>)
      watcher = std::make_shared<Watcher>(*part, arguments...);
    else
      watcher =
          std::make_shared<Watcher>(std::shared_ptr<Interface>(std::shared_ptr<void>(), part), arguments...);
    part = watcher.get();
    watchers_.push_back(std::move(watcher));
  }

  Problem problem_;
  std::vector<std::shared_ptr<void>> watchers_;
};

inline RunResult run_bare(const Problem& problem, Algorithm& algorithm, Element x0,
                          const RunSettings& settings, const ComponentNames& names = {}) {
  return run(*WatchedProblem(problem, names), algorithm, std::move(x0), settings, names);
}

}  // namespace claros::test
