// SPDX-License-Identifier: BSD-3-Clause
/// @file gap_draws.hpp  Blocks drawn with probabilities that are proportional to their gaps.
#pragma once

#include <claros/random.hpp>
#include <claros/state/state.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

/// g_k >= 0 of K blocks, and k drawn with probability g_k / sum g, uniformly if all are 0. A change and a
/// draw take log2 K sums. Every node of a binary tree is the sum of its two children, so that equal gaps make
/// equal draws, whatever they were before.
class GapDraws {
 public:
  void start(claros::Index count) {
    gaps_.assign(static_cast<std::size_t>(count), 0.0);
    build();
  }

  /// A gap below 0 (rounding, or an estimate) or without a number counts as 0.
  void set(claros::Index k, double gap) {
    gaps_[claros::at(k)] = gap > 0.0 && std::isfinite(gap) ? gap : 0.0;
    std::size_t node = leaves_ + claros::at(k);
    tree_[node] = gaps_[claros::at(k)];
    while (node > 1) node /= 2, tree_[node] = tree_[2 * node] + tree_[2 * node + 1];
  }
  double gap(claros::Index k) const { return gaps_[claros::at(k)]; }

  claros::Index draw(claros::RandomStream& coins) const {
    if (!(tree_[1] > 0.0 && std::isfinite(tree_[1])))
      return coins.index(static_cast<claros::Index>(gaps_.size()));
    double left = coins.uniform() * tree_[1];
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      const bool right = left >= tree_[node] && tree_[node + 1] > 0.0;
      if (right) left -= tree_[node], ++node;
    }
    return static_cast<claros::Index>(node - leaves_);
  }

  void state(claros::StateVisitor& v) {
    const std::size_t count = gaps_.size();
    v("gaps", gaps_);
    v.require(gaps_.size() == count, "gaps", "not one a block");
    for (const double gap : gaps_)
      v.require(gap >= 0.0 && std::isfinite(gap), "gaps", "below 0, or no number");
    if (v.loading()) build();
  }

 private:
  void build() {
    for (leaves_ = 1; leaves_ < gaps_.size();) leaves_ *= 2;
    tree_.assign(2 * leaves_, 0.0);
    for (std::size_t k = 0; k < gaps_.size(); ++k) tree_[leaves_ + k] = gaps_[k];
    for (std::size_t node = leaves_; node-- > 1;) tree_[node] = tree_[2 * node] + tree_[2 * node + 1];
  }

  std::vector<double> gaps_;
  std::size_t leaves_ = 1;              ///< the least power of 2 that is not below K
  std::vector<double> tree_{0.0, 0.0};  ///< the root is 1, the children of i are 2 i and 2 i + 1
};
