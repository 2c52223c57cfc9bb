// SPDX-License-Identifier: BSD-3-Clause
/// @file risk_sets.hpp  Rows in the order in which sums over risk sets are made.
#pragma once

#include <claros/io/survival.hpp>

#include <span>
#include <vector>

namespace cox {

using claros::Index;

/// Rows of one stratum and one time: positions [first, events) are censored, [events, last) have the event.
struct Ties {
  std::size_t first = 0, events = 0, last = 0;
  bool opens = false;  ///< whether it is the first of its stratum
  double mass = 0.0;   ///< the sum of the weights of the events
  std::size_t count() const noexcept { return last - events; }
};

/// Rows stratum after stratum, the latest time first. The risk set of a time is all rows of the stratum up to
/// the end of its ties. Rows that enter at this time or later are not in it. Rows of weight 0 are left out,
/// which changes no sum. Arrays are in this order.
struct RiskSets {
  std::size_t rows = 0;          ///< of the data
  std::vector<std::size_t> row;  ///< where each stands in the data
  std::vector<double> weight, offset;
  std::vector<Ties> ties;
  /// A row is at risk at the ties [own, until).
  /// All are at risk from the first event of their stratum on if `until` is empty.
  std::vector<std::size_t> own, until;
  double mass = 0.0;  ///< of all events

  /// The first ties at which a row is at risk beside their events.
  std::size_t from(std::size_t i) const { return own[i] + (i < ties[own[i]].events ? 0 : 1); }

  /// Weights and offsets are those of the data, or empty for 1 and 0.
  RiskSets(const claros::Survival& survival, std::span<const double> weights,
           std::span<const double> offsets);

 private:
  void note_entries(const claros::Survival& survival);
};

}  // namespace cox
