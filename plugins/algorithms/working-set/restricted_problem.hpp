// SPDX-License-Identifier: BSD-3-Clause
/// @file restricted_problem.hpp  A problem restricted to some blocks of its variable.
#pragma once

#include <claros/algorithm.hpp>

#include <memory>
#include <span>
#include <vector>

/// minimise f(x) + h(x) over the x that are 0 outside chosen blocks of h and the free coordinates of f. This
/// is a problem of its own, in the coordinates of the blocks, one after the other. f is Restrictable, h
/// Separable. The whole problem outlives it, and is used itself if all blocks are chosen.
class RestrictedProblem {
 public:
  RestrictedProblem(const claros::Problem& whole, const claros::Blocks& blocks,
                    std::span<const claros::Index> chosen);
  /// Objective, penalty and its abilities; estimator, context and ledger are those of the whole.
  const claros::Problem& problem() const noexcept { return problem_; }
  /// The chosen entries of x, with its image, which is theirs too if the others are 0.
  claros::Element shrink(const claros::Element& x) const;
  /// x of the whole problem's shape, with the image of `small`.
  claros::Element expand(const claros::Element& small) const;

 private:
  claros::Shape shape_;
  bool is_whole_ = false;
  std::vector<claros::Index> coordinates_;
  std::shared_ptr<claros::Component> objective_, penalty_;
  std::shared_ptr<claros::ProximalOracle> head_;  ///< of the penalty, if it does not see all coordinates
  claros::MapPtr map_, small_map_;
  claros::Problem problem_;
};
