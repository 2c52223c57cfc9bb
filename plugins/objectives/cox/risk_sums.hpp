// SPDX-License-Identifier: BSD-3-Clause
/// @file risk_sums.hpp  Sums over risk sets, and over the times at which a row is at risk.
#pragma once

#include "risk_sets.hpp"

#include <limits>
#include <span>
#include <vector>

namespace cox {

/// e^{from - to}; 0 if a sum relative to `from` is empty (from = -inf).
double rebased(double from, double to);

/// sum_i w_i e^{t_i - top} x_i, and the same with (t_i - top) x_i in place of x_i.
struct Pile {
  double top = -std::numeric_limits<double>::infinity(), mass = 0.0, moment = 0.0;
  void rebase(double to);
  /// The sum of both, relative to the larger top.
  void add(Pile other) {
    if (other.top > top)
      rebase(other.top);
    else if (other.top < top)
      other.rebase(top);
    mass += other.mass;
    moment += other.moment;
  }
};

/// Exponentials at one point z, and both directions of summation. No term is ever subtracted, so that a sum
/// has the relative accuracy of its terms.
///
/// If every row is at risk from the start, sums go from time to time, in O(n). Rows that enter late are at
/// risk at a range of times. O(log n) nodes of a tree over all times cover it (de Berg, Cheong, van Kreveld,
/// Overmars: Computational Geometry, 2008, section 10.3: a segment tree): O(n log n).
class RiskSums {
 public:
  RiskSums(const RiskSets& sets, std::span<const double> z);

  /// A number for each row: t = z + o, and part = w e^{t - base}, base >= t.
  std::vector<double> t, part;
  /// A number for each ties: top, which no base at risk exceeds, and sums of w e^t relative to it. `tied` is
  /// over their events, and `rest` over the others at risk.
  std::vector<double> top, tied, rest;

  /// Calls `visit` with the number of each ties and the sum over the rows at risk beside their events.
  /// The numbers x are multiples of w_i e^{t_i - base_i}. With moments, those of (t_i - top) x_i too.
  template <class Visit>
  void at_risk(std::span<const double> x, bool moments, Visit visit) const;
  /// For each row the sum of c_k e^{power (base - top_k)} over its ties in `at_risk`.
  /// The power is 0, 1 or 2.
  std::vector<double> over_times(std::span<const double> c, int power = 1) const;
  /// e^{power (base - top)} for a row at its own ties.
  double at_own(std::size_t i, int power = 1) const;

 private:
  double base(std::size_t i) const { return shelf_.empty() ? top[sets_.own[i]] : shelf_[i]; }
  void start_ordered();
  void start_late();
  std::vector<Pile> tree_at_risk(std::span<const double> x, bool moments) const;
  std::vector<double> tree_over_times(std::span<const double> c, int power) const;

  const RiskSets& sets_;
  std::vector<double> shelf_;  ///< bases, if rows enter late; else they are the tops
  bool is_even_ = false;       ///< whether all shelves are one
};

template <class Visit>
void RiskSums::at_risk(std::span<const double> x, bool moments, Visit visit) const {
  if (!sets_.until.empty()) {
    const std::vector<Pile> sums = tree_at_risk(x, moments);
    for (std::size_t k = 0; k < sums.size(); ++k) visit(k, sums[k]);
    return;
  }
  Pile sum;
  for (std::size_t k = 0; k < top.size(); ++k) {
    const Ties& ties = sets_.ties[k];
    if (ties.opens) sum = {};
    sum.rebase(top[k]);
    const auto add = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        sum.mass += x[i];
        if (moments && x[i] != 0.0) sum.moment += x[i] * (t[i] - top[k]);
      }
    };
    add(ties.first, ties.events);
    visit(k, sum);
    add(ties.events, ties.last);
  }
}

}  // namespace cox
