// SPDX-License-Identifier: BSD-3-Clause
/// @file kept_gram.hpp  Inner products of the columns of one dense design, kept.
#pragma once

#include <claros/map/columns.hpp>

#include <span>
#include <unordered_map>
#include <vector>

namespace claros {

/// <A_i, A_j> of the pairs of columns that were asked for. Working sets, and those of the next lambda of a
/// path, have most pairs in common with some before. Every product is summed in one order (dense_loops.hpp),
/// so that its bits do not depend on the kept products.
class KeptGram {
 public:
  /// A' A of `columns`, column-major; `names` are their numbers in the design, at most Columns::kMostForGram
  /// of them.
  std::vector<double> of(std::span<const Index> names, const Columns& columns);

 private:
  std::vector<std::size_t> places(std::span<const Index> names);
  void complete(std::span<const std::size_t> places, const Columns& columns);

  std::unordered_map<Index, std::size_t> place_;
  std::vector<std::vector<double>> product_;  ///< square; NaN for pairs that were not asked for
};

}  // namespace claros
