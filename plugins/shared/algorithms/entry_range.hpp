// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_range.hpp  Points whose entries rounding has moved out of their range.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace claros::sdk {

/// Least and largest value of each entry over the points of a set that were included: no convex combination
/// of them lies outside. A step away from a vertex subtracts, and its rounding may leave -1e-18 where all
/// vertices have 0; `clip` takes that back. Points that are held in factors have no entries: once one is
/// included, nothing is clipped.
class EntryRange {
 public:
  void start() { *this = {}; }
  void include(const Element& point) {
    std::vector<double> values;
    unknown_ = unknown_ || !append(point, values);
    if (unknown_) return low_.clear(), high_.clear();
    if (low_.empty()) low_ = high_ = values;
    for (std::size_t j = 0; j < values.size(); ++j) {
      low_[j] = std::min(low_[j], values[j]);
      high_[j] = std::max(high_[j], values[j]);
    }
  }

  /// Whether these entries of x need no clipping: all that a step has changed.
  bool holds(const Element& x, std::span<const Index> coordinates) const {
    const Part* part = lone_dense(x);
    if (!part || low_.empty()) return low_.empty();
    const auto values = std::get<DenseForm>(part->form).values.view();
    return std::ranges::all_of(coordinates, [&](Index k) {
      const auto j = static_cast<std::size_t>(k);
      const double value = part->weight * values[j];
      return value >= low_[j] && value <= high_[j];
    });
  }
  /// Images stay: those of a point that rounding alone has changed.
  void clip(Element& x, const MapPtr& map = nullptr) const {
    if (!low_.empty()) (void)clip_from(x, 0, map);
  }

  void state(StateVisitor& v) {
    v("unknown", unknown_);
    v("low", low_);
    v("high", high_);
    v.require(low_.size() == high_.size(), "high", "not of the size of low");
    for (std::size_t j = 0; j < low_.size(); ++j) v.require(low_[j] <= high_[j], "high", "below low");
  }

 private:
  static bool has_entries(const Part& part) {
    return std::holds_alternative<DenseForm>(part.form) || std::holds_alternative<SparseForm>(part.form);
  }
  static bool append(const Element& point, std::vector<double>& values) {
    for (Index k = 0; k < point.block_count(); ++k)
      if (!append(point.block(k), values)) return false;
    if (point.block_count() > 0) return true;
    if (!std::ranges::all_of(point.parts(), has_entries)) return false;
    const std::vector<double> own = point.to_dense();
    values.insert(values.end(), own.begin(), own.end());
    return true;
  }

  /// The place behind the entries of x.
  std::size_t clip_from(Element& x, std::size_t from, const MapPtr& map) const {
    if (x.block_count() > 0) {
      for (Index k = 0; k < x.block_count(); ++k)
        from = lies_within(x.block(k), from) ? from + size_of(x.block(k))
                                             : clip_from(x.edit_block(k), from, nullptr);
      return from;
    }
    if (lies_within(x, from)) return from + size_of(x);
    std::vector<double> z;
    if (map && x.has_image(map)) z.assign(x.image(map).begin(), x.image(map).end());
    const std::span<double> entries = x.dense_values();
    for (std::size_t j = 0; j < entries.size(); ++j)
      entries[j] = std::clamp(entries[j], low_[from + j], high_[from + j]);
    if (!z.empty()) x.keep_image(map, Buffer(std::move(z)));
    return from + entries.size();
  }
  static std::size_t size_of(const Element& x) { return static_cast<std::size_t>(x.shape().size()); }
  /// True of other forms than one array too: nothing is known of them.
  bool lies_within(const Element& x, std::size_t from) const {
    const Part* part = lone_dense(x);
    if (!part) return x.block_count() == 0;
    const auto values = std::get<DenseForm>(part->form).values.view();
    for (std::size_t j = 0; j < values.size(); ++j) {
      const double value = part->weight * values[j];
      if (!(value >= low_[from + j] && value <= high_[from + j])) return false;
    }
    return true;
  }

  bool unknown_ = false;
  std::vector<double> low_, high_;
};

inline bool has_negative(const Element& x) {
  for (Index k = 0; k < x.block_count(); ++k)
    if (has_negative(x.block(k))) return true;
  const Part* part = lone_dense(x);
  if (!part) return false;
  const auto values = std::get<DenseForm>(part->form).values.view();
  return std::ranges::any_of(values, [w = part->weight](double value) { return w * value < 0.0; });
}

/// An entry of an array below 0 by at most `share` of the largest magnitude becomes 0: for steps that
/// subtract a vertex which is not known to be part of x. Images stay.
inline void clear_below_zero(Element& x, double share, const MapPtr& map = nullptr) {
  if (!has_negative(x)) return;
  for (Index k = 0; k < x.block_count(); ++k)
    if (has_negative(x.block(k))) clear_below_zero(x.edit_block(k), share);
  if (x.block_count() > 0) return;
  std::vector<double> z;
  if (map && x.has_image(map)) z.assign(x.image(map).begin(), x.image(map).end());
  const std::span<double> entries = x.dense_values();
  double largest = 0.0;
  for (const double value : entries) largest = std::max(largest, std::abs(value));
  for (double& value : entries)
    if (value < 0.0 && value >= -share * largest) value = 0.0;
  if (!z.empty()) x.keep_image(map, Buffer(std::move(z)));
}

}  // namespace claros::sdk
