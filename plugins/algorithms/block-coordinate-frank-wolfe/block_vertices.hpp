// SPDX-License-Identifier: BSD-3-Clause
/// @file block_vertices.hpp  The blocks of a point as convex combinations of vertices of their own.
#pragma once

#include <shared/algorithms/active_set.hpp>

#include <string>
#include <vector>

/// Along which a block moves: to s; to s or away from a, whichever promises more; weight from a to s.
enum class Direction { toward, away, pairwise };

/// x_k = sum_j w_j v_j over vertices of C_k that earlier minimisations have found. Let g = grad_k f(x), s =
/// argmin over C_k of <g, u>, and a the vertex of x_k of largest <g, v>. The longest step is one of
///     s - x_k,    w_a / (1 - w_a) (x_k - a),    w_a (s - a).
class BlockVertices {
 public:
  /// The first points, of weight 1: vertices or not.
  void start(Direction direction, const std::vector<claros::Element>& blocks) {
    direction_ = direction;
    sets_.assign(blocks.size(), {});
    for (std::size_t k = 0; k < blocks.size(); ++k) sets_[k].start(blocks[k], nullptr);
  }

  /// Minus the derivative of f along the longest step of block k; `gap` is <g, x_k - s>, `end` the end of
  /// that step.
  double aim(claros::Index k, const claros::Element& g, const claros::Element& x, const claros::Element& s,
             double gap, claros::Element& end) {
    claros::sdk::ActiveSet& set = sets_[claros::at(k)];
    set.make_scores([&](claros::Index j) { return set.vertex(j).product(g); });
    const double at_x = set.score_of_point();
    from_ = set.worst();
    const double away = set.score(from_) - at_x;
    kind_ = direction_ != Direction::away                 ? direction_
            : away > gap && set.longest_away(from_) > 0.0 ? Direction::away
                                                          : Direction::toward;
    end = x;
    if (kind_ == Direction::away) {
      longest_ = set.longest_away(from_);
      end.blend(-longest_, set.vertex(from_).element());
      return longest_ * away;
    }
    to_ = set.find_or_add(s, at_x - gap);
    if (kind_ == Direction::toward) return longest_ = 1.0, end = s, gap;
    longest_ = set.weight(from_);
    end.add(longest_, s), end.add(-longest_, set.vertex(from_).element());
    return longest_ * (away + gap);
  }
  /// x <- the point at that share of the longest step of block k.
  void move(claros::Index k, double share, claros::Element& x) {
    claros::sdk::ActiveSet& set = sets_[claros::at(k)];
    const double gamma = share * longest_;
    if (kind_ == Direction::toward) set.toward(to_, gamma, x);
    if (kind_ == Direction::away && gamma > 0.0) set.away(from_, gamma, x);
    if (kind_ == Direction::pairwise && from_ != to_) set.exchange(from_, to_, gamma, x);
    if (set.rounding() > kMostRounding || x.columns() > 2 * set.size() + kMostColumns) set.refresh(x);
  }

  void state(claros::StateVisitor& v) {
    for (std::size_t k = 0; k < sets_.size(); ++k) v("block " + std::to_string(k), sets_[k]);
  }

 private:
  static constexpr double kMostRounding = 1e-11;      ///< of a block
  static constexpr claros::Index kMostColumns = 100;  ///< of a block, beyond two a vertex

  Direction direction_ = Direction::toward;
  std::vector<claros::sdk::ActiveSet> sets_;
  // The longest step.
  Direction kind_ = Direction::toward;
  claros::Index from_ = 0, to_ = 0;
  double longest_ = 0.0;
};
