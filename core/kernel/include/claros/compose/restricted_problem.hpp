// SPDX-License-Identifier: BSD-3-Clause
/// @file restricted_problem.hpp  The part of a problem that lives on some blocks of its variable.
#pragma once

#include <claros/algorithm.hpp>

#include <memory>
#include <span>
#include <vector>

namespace claros {

/// minimise f(x) + h(x) over the x that are 0 outside chosen blocks of h and the free coordinates of f, as a
/// problem of its own, in the coordinates of the blocks, one after the other. f is Restrictable, h Separable.
/// The whole problem outlives it.
class CLAROS_API RestrictedProblem {
 public:
  RestrictedProblem(const Problem& whole, const Blocks& blocks, std::span<const Index> chosen);
  /// Objective, penalty and its abilities; estimator, context and ledger are those of the whole.
  const Problem& problem() const noexcept { return problem_; }
  std::span<const Index> coordinates() const noexcept { return coordinates_; }

  /// The chosen entries of x, with its image, which is theirs too where the others are 0.
  Element shrink(const Element& x) const;
  /// x of the whole problem's shape, with the image of `small`.
  Element expand(const Element& small) const;

 private:
  Shape shape_;
  std::vector<Index> coordinates_;
  std::shared_ptr<Component> objective_, penalty_;
  std::shared_ptr<ProximalOracle> head_;  ///< of the penalty, where it does not see all coordinates
  MapPtr map_, small_map_;
  Problem problem_;
};

}  // namespace claros
