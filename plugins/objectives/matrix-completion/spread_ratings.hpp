// SPDX-License-Identifier: BSD-3-Clause
/// @file spread_ratings.hpp  Ratings in parts, before the run: what needs sums over the entries of all ranks.
#pragma once

#include "baseline.hpp"

#include <claros/io/training.hpp>
#include <claros/parts/rating_parts.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace matrix_completion {

/// Every rank makes the same calls. Sums go along the tree of the chunks (tree_sum.hpp), so that results have
/// the same bits on any number of ranks. They differ by rounding from those of the joined file in one list.
class SpreadRatings {
 public:
  explicit SpreadRatings(claros::RatingParts& parts) : parts_(parts), some_(parts.head()) {}

  using Use = std::function<void(claros::Ratings& entries, claros::Index chunk)>;
  /// Calls use(entries, chunk) for every chunk of this rank, with ids, in the order of the lines.
  void for_each(const Use& use);
  /// The least and the largest value.
  std::pair<double, double> range();
  double mean_weight();
  /// Scales weights to mean 1, and drops those that are all the same.
  void scale_weights();
  claros::Baseline fit(const claros::Loss& loss, const BaselineOptions& options);
  void subtract(const claros::Baseline& baseline);
  double mean();
  /// sum value^2
  double squares();
  double largest_weight();
  /// The sum over all entries.
  double sum(const char* what, const std::function<double(claros::Ratings&)>& of_chunk);

 private:
  using Vector = std::vector<double>;
  /// One vector for every chunk of this rank.
  using Spread = std::vector<Vector>;
  double median();
  double location(const claros::Loss& loss, double spread);
  Spread weights_at(const claros::Baseline& baseline, const claros::Loss& loss);
  double move_to(claros::Baseline& baseline, claros::Baseline moved);

  claros::RatingParts& parts_;
  claros::Ratings some_;  ///< takes the entries of a chunk while they are used
};

/// The largest number that a rank gives. Collective.
double largest_of(claros::World& world, const char* what, double mine);

}  // namespace matrix_completion
