// SPDX-License-Identifier: BSD-3-Clause
/// @file assignment.hpp  The linear assignment problem, dense.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace birkhoff {

/// min over permutations of sum_i c(i, to(i)). Column reduction, reduction transfer and augmenting row
/// reduction leave few rows free. Each of these gets the shortest augmenting path in reduced costs c(i, j) -
/// v(j) (Jonker, Volgenant 1987). The whole is O(n^3) at worst, and one pass over the costs for each free
/// row. With rounded costs, rows may take columns in turns for ever in the second phase, so it goes on only
/// while v falls.
class Assignment {
 public:
  /// c holds row after row; c is finite, and so are differences of its numbers. Ties fall to the same columns
  /// always.
  std::span<const std::size_t> solve(std::span<const double> c, std::size_t n) {
    c_ = c.data();
    n_ = n;
    to_.assign(n, kNone), from_.assign(n, kNone), v_.assign(n, std::numeric_limits<double>::infinity());
    reduce_columns();
    for (int round = 0; round < 2 && !free_.empty(); ++round) reduce_rows();
    for (const std::size_t row : free_) augment(row);
    return to_;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const double* row(std::size_t i) const { return c_ + i * n_; }
  void match(std::size_t i, std::size_t j) { to_[i] = j, from_[j] = i; }

  /// v(j) = min_i c(i, j). A row that is the least of several columns keeps the last one, and is marked as
  /// such.
  void reduce_columns() {
    std::vector<std::size_t> least(n_, 0), columns(n_, 0);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (row(i)[j] < v_[j]) v_[j] = row(i)[j], least[j] = i;
    for (std::size_t j = n_; j-- > 0;)
      if (columns[least[j]]++ == 0) match(least[j], j);
    free_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      if (columns[i] == 0) free_.push_back(i);
      if (columns[i] != 1 || n_ < 2) continue;
      // The column's price falls to where the row would as well take another.
      double other = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < n_; ++j)
        if (j != to_[i]) other = std::min(other, row(i)[j] - v_[j]);
      const double own = row(i)[to_[i]] - v_[to_[i]];
      if (other > own) v_[to_[i]] -= other - own;
    }
  }

  /// The two least of c(i, j) - v(j).
  struct Least {
    std::size_t first = kNone, second = kNone;
    double lowest = std::numeric_limits<double>::infinity(), next = std::numeric_limits<double>::infinity();
  };
  Least two_least(std::size_t i) const {
    Least two;
    for (std::size_t j = 0; j < n_; ++j) {
      const double reduced = row(i)[j] - v_[j];
      if (!(reduced < two.next)) continue;
      if (reduced < two.lowest)
        two = {j, two.first, reduced, two.lowest};
      else {
        two.next = reduced;
        two.second = j;
      }
    }
    return two;
  }

  void reduce_rows() {
    std::vector<std::size_t> left;
    std::size_t at = 0, moves = 0;
    while (at < free_.size()) {
      const std::size_t i = free_[at++];
      const Least two = two_least(i);
      std::size_t j = two.first;
      std::size_t owner = from_[j];
      const double lowered = v_[j] - (two.next - two.lowest);
      const bool falls = two.second != kNone && lowered < v_[j];
      if (falls)
        v_[j] = lowered;
      else if (owner != kNone && two.second != kNone) {
        j = two.second;
        owner = from_[j];
      }
      match(i, j);
      if (owner == kNone) continue;
      to_[owner] = kNone;
      if (falls && ++moves < 8 * n_)
        free_[--at] = owner;
      else
        left.push_back(owner);
    }
    free_ = std::move(left);
  }

  /// The shortest path in reduced costs from a free row to a free column, by Dijkstra's method on columns.
  /// Each pass over the costs of a row shortens distances and finds the next column. Among equally near
  /// columns a free one ends the search: costs that are whole numbers have many.
  void augment(std::size_t start) {
    d_.assign(n_, std::numeric_limits<double>::infinity()), before_.resize(n_), open_.resize(n_),
        done_.clear();
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    double distance = 0.0;
    std::size_t i = start, end = kNone;
    while (true) {
      const double base = distance - (i == start ? 0.0 : row(i)[to_[i]] - v_[to_[i]]);
      const std::size_t at = shorten(i, base);
      const std::size_t j = open_[at];
      distance = d_[j];
      if (from_[j] == kNone) {
        end = j;
        break;
      }
      done_.push_back(j);
      open_[at] = open_.back(), open_.pop_back();
      i = from_[j];
    }
    for (const std::size_t j : done_) v_[j] += d_[j] - distance;
    for (std::size_t j = end;;) {
      const std::size_t owner = before_[j], next = to_[owner];
      match(owner, j);
      if (owner == start) return;
      j = next;
    }
  }

  /// d(j) <- min(d(j), base + c(i, j) - v(j)) over the open columns. Returns the place of the least in the
  /// list.
  std::size_t shorten(std::size_t i, double base) {
    const double* c = row(i);
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    bool free = false;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const std::size_t j = open_[k];
      const double along = base + (c[j] - v_[j]);
      if (along < d_[j]) d_[j] = along, before_[j] = i;
      if (d_[j] > least) continue;
      const bool ends = from_[j] == kNone;
      if (d_[j] < least || (ends && !free)) least = d_[j], best = k, free = ends;
    }
    return best;
  }

  const double* c_ = nullptr;
  std::size_t n_ = 0;
  std::vector<std::size_t> to_, from_, free_, before_, open_, done_;
  std::vector<double> v_, d_;
};

}  // namespace birkhoff
