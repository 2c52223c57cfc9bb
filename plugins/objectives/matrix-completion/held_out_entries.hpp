// SPDX-License-Identifier: BSD-3-Clause
/// @file held_out_entries.hpp  Further entries, whose error is measured.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/element/pattern.hpp>
#include <claros/io/training.hpp>
#include <claros/map/linear_map.hpp>

#include "options.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace matrix_completion {

using namespace claros;

class HeldOutEntries {
 public:
  using MapOf = std::function<MapPtr(std::shared_ptr<const Pattern>)>;

  /// Reads options.test in the ids of the training. `map_of` makes the map from a point to its entries.
  void read(const Options& options, const Training& training, const Context& context, const MapOf& map_of);
  /// NaN without entries.
  double rmse(const Element& x) const;

 private:
  struct Entry {
    Index output;  ///< of map_; -1 if the training data lacks the row or the column, so that X has no entry
    double value;  ///< without the baseline
  };

  MapPtr map_;
  std::vector<Entry> entries_;
};

}  // namespace matrix_completion
