// SPDX-License-Identifier: BSD-3-Clause
/// @file held_out_entries.hpp  Further entries, whose error is measured.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/element/pattern.hpp>
#include <claros/io/training.hpp>
#include <claros/loss.hpp>
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

  /// Takes a share of the entries out of `ratings`, at random; at least one stays.
  static Ratings taken(Ratings& ratings, double share, const Context& context);
  /// Holds these entries, of the training's ids, with values as they were given.
  void hold(const Ratings& entries, const Training& training, const MapOf& map_of);
  /// Reads options.test in the ids of the training. `map_of` makes the map from a point to its entries.
  void read(const Options& options, const Training& training, const Context& context, const MapOf& map_of);
  /// It compares values with the means that the loss predicts: values, counts, and for classes 2 P(1) - 1 or
  /// the sign of the score. NaN without entries.
  double rmse(const Element& x, const Loss& loss) const;

 private:
  struct Entry {
    Index output;  ///< of map_; -1 if the training data lacks the row or the column, so that X has no entry
    double value;  ///< without the baseline, which losses of means that are not z itself do not have
  };

  MapPtr map_;
  std::vector<Entry> entries_;
};

}  // namespace matrix_completion
