// SPDX-License-Identifier: BSD-3-Clause
/// @file snapshot_plan.hpp  Who says how many draws the snapshot of an expectation takes.
#pragma once

#include <claros/api.hpp>

#include <string_view>

namespace claros {

/// An ability of algorithms whose theory chooses it: every EpochPlan then has a `snapshot`.
class SnapshotPlan {
 public:
  static constexpr std::string_view kAbility = "claros.snapshot-plan/1";
  virtual ~SnapshotPlan() = default;
  /// Once started.
  virtual bool plans_snapshots() const = 0;
};

/// An ability of estimators with snapshots: numbers that only an algorithm's theory can make up for.
class OwnSnapshot {
 public:
  static constexpr std::string_view kAbility = "claros.own-snapshot/1";
  virtual ~OwnSnapshot() = default;
  /// Once started, where no algorithm plans snapshots. Throws Error(usage).
  virtual void require_own_snapshot() const = 0;
};

}  // namespace claros
