// SPDX-License-Identifier: BSD-3-Clause
/// @file measurement_rows.hpp  Consecutive measurements, taken out of all.
#pragma once

#include <claros/map/design_map.hpp>
#include <claros/map/measurements.hpp>
#include <claros/parts/design_parts.hpp>
#include <shared/maps/rank_one_map.hpp>

#include <memory>
#include <span>
#include <vector>

namespace matrix_sensing {

/// Measurements with, perhaps, the rows of `left` in parts, of which `all.left` then has sizes and responses
/// alone.
struct MeasurementRows {
  claros::Measurements all;
  std::shared_ptr<claros::DesignParts> parts = {};
  claros::RankOneMap::Adjoints adjoints = claros::RankOneMap::Adjoints::automatic;

  /// The measurements [first, first + count): copies, unless the rows are mapped; without responses.
  claros::Measurements range(claros::Index first, claros::Index count) const;
  /// <A_i, X> over measurements whose rows are there.
  claros::MapPtr map_of(const claros::Measurements& some) const;
  /// A number of sizes, entries and `targets`, not negative: of parts without entries, which one rank reads.
  claros::Index fingerprint(std::span<const double> targets) const;
};

/// ||A_i||_F^2
std::vector<double> squared_norms(const claros::LinearMap& map, claros::Measurements::Kind kind);
/// The map whose square has the eigenvalues of A'A: of sparse A_i that of the entries on their pattern.
claros::MapPtr square_root(const claros::MapPtr& map, claros::Measurements::Kind kind);

}  // namespace matrix_sensing
