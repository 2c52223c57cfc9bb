// SPDX-License-Identifier: BSD-3-Clause
/// @file lbfgs_memory.hpp  The last moves and turns of a quasi-Newton method.
#pragma once

#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>
#include <vector>

namespace claros::sdk {

/// H of L-BFGS: the inverse curvature from the last pairs of a move s and the change y of the gradient over
/// it. It starts from a multiple of a diagonal. (Nocedal, Wright 2006, Algorithm 7.4.)
class LbfgsMemory {
 public:
  explicit LbfgsMemory(Index most) : most_(most) {}

  /// Without pairs, of vectors of `length` numbers.
  void start(std::size_t length) {
    length_ = length;
    pairs_ = 0;
    for (std::vector<double>* all : {&moves_, &turns_})
      all->assign(static_cast<std::size_t>(most_) * length, 0.0);
  }
  void forget() noexcept { pairs_ = 0; }
  bool empty() const noexcept { return pairs_ == 0; }

  /// -H g, from a multiple of diag(inverse), or of the identity if `inverse` is empty. Without pairs it is
  /// -diag(inverse) g or -g.
  std::vector<double> direction(std::span<const double> g, std::span<const double> inverse = {}) const {
    const Index pairs = std::min(pairs_, most_);
    std::vector<double> d(g.begin(), g.end()), along, curved;
    for (Index k = 0; k < pairs; ++k) {
      const auto s = kept(moves_, k), y = kept(turns_, k);
      curved.push_back(dot(s, y));
      along.push_back(dot(s, d) / curved.back());
      add(-along.back(), y, d);
    }
    const auto scale = [&](std::size_t k) { return inverse.empty() ? 1.0 : inverse[k]; };
    double unit = -1.0;
    if (pairs > 0) {
      const auto y = kept(turns_, 0);
      unit = -curved.front() / sum_indices(y.size(), [&](std::size_t k) { return y[k] * y[k] * scale(k); });
    }
    for (std::size_t k = 0; k < d.size(); ++k) d[k] *= unit * scale(k);
    for (Index k = pairs; k-- > 0;) {
      const auto at = static_cast<std::size_t>(k);
      add(-along[at] - dot(kept(turns_, k), d) / curved[at], kept(moves_, k), d);
    }
    return d;
  }

  /// -H g for the coordinates in `free`, ascending, with the H that the pairs give for these alone. The other
  /// coordinates, which move on their own, get -g.
  std::vector<double> direction_of(std::span<const double> g, std::span<const std::size_t> free) const {
    std::vector<double> d(g.size());
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = -g[k];
    std::vector<Pair> pairs;
    for (Index k = 0; k < std::min(pairs_, most_); ++k)
      if (const Pair pair = of(k, free); pair.curved > 0.0) pairs.push_back(pair);
    if (pairs.empty()) return d;
    for (Pair& p : pairs) {
      p.along = dot_of(free, p.s, d) / p.curved;
      for (const std::size_t j : free) d[j] -= p.along * p.y[j];
    }
    const double unit = pairs.front().curved / dot_of(free, pairs.front().y, pairs.front().y);
    for (const std::size_t j : free) d[j] *= unit;
    for (const Pair& p : pairs | std::views::reverse) {
      const double by = p.along - dot_of(free, p.y, d) / p.curved;
      for (const std::size_t j : free) d[j] += by * p.s[j];
    }
    return d;
  }

  /// The newest pair. Returns false and keeps nothing if <s, y> is not above 1e-10 ||s|| ||y||.
  template <class Move, class Turn>
  bool add_pair(Move move, Turn turn) {
    const double both = sum_indices(length_, [&](std::size_t k) { return move(k) * turn(k); }),
                 moved = sum_indices(length_, [&](std::size_t k) { return move(k) * move(k); }),
                 turned = sum_indices(length_, [&](std::size_t k) { return turn(k) * turn(k); });
    if (!(both > kCurved * std::sqrt(moved * turned) && std::isfinite(turned))) return false;
    ++pairs_;
    const std::span<double> s = kept(moves_, 0), y = kept(turns_, 0);
    for (std::size_t k = 0; k < length_; ++k) s[k] = move(k), y[k] = turn(k);
    return true;
  }

  void state(StateVisitor& v) {
    v("moves", moves_);
    v("turns", turns_);
    v("pairs", pairs_);
    v.require(pairs_ >= 0, "pairs", "negative");
    v.require(moves_.size() == static_cast<std::size_t>(most_) * length_ && turns_.size() == moves_.size(),
              "moves", "not as many pairs of the length of the point as are kept");
  }

 private:
  static constexpr double kCurved = 1e-10;

  struct Pair {
    std::span<const double> s, y;
    double curved = 0.0, along = 0.0;
  };
  static double dot_of(std::span<const std::size_t> free, std::span<const double> a,
                       std::span<const double> b) {
    double sum = 0.0;
    for (const std::size_t j : free) sum += a[j] * b[j];
    return sum;
  }
  /// Pair k on these coordinates, `curved` 0 if it shows no curvature there.
  Pair of(Index k, std::span<const std::size_t> free) const {
    Pair p{kept(moves_, k), kept(turns_, k)};
    const double both = dot_of(free, p.s, p.y);
    if (both > kCurved * std::sqrt(dot_of(free, p.s, p.s) * dot_of(free, p.y, p.y))) p.curved = both;
    return p;
  }
  std::size_t place(Index k) const noexcept {
    return static_cast<std::size_t>((pairs_ - 1 - k) % most_) * length_;
  }
  /// The vector of pair k of the last pairs, k from 0, the newest.
  std::span<double> kept(std::vector<double>& all, Index k) const {
    return std::span(all).subspan(place(k), length_);
  }
  std::span<const double> kept(const std::vector<double>& all, Index k) const {
    return std::span(all).subspan(place(k), length_);
  }
  static void add(double a, std::span<const double> x, std::span<double> y) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += a * x[k];
  }

  Index most_;
  std::size_t length_ = 0;
  std::vector<double> moves_, turns_;  ///< one pair after the other; the oldest is overwritten
  Index pairs_ = 0;                    ///< since the start, of which the last `most_` are kept
};

}  // namespace claros::sdk
