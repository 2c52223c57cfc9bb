// SPDX-License-Identifier: BSD-3-Clause
/// @file columns.hpp  Orthonormal columns that are chosen when they have to be.
#pragma once

#include <claros/random.hpp>
#include <claros/state/state.hpp>

#include <span>
#include <vector>

/// V = [v_1 .. v_T] in R^{d x T}, V'V = I; v_1 .. v_m are settled. S is the span of these and of the points
/// of calls so far. The other columns are provisional: Gram-Schmidt makes them of Gaussian directions in the
/// complement of S, drawn from the seed one a column. They are orthogonal to all points so far, and change
/// only when a point outside S comes. The next column is settled in its current state. A point joins S as
/// long as T - m directions are left besides; after that V changes no more.
class ResistingColumns {
 public:
  ResistingColumns(claros::Index dimension, claros::Index count, claros::RandomStream stream);

  claros::Index count() const noexcept { return count_; }
  claros::Index settled() const noexcept { return static_cast<claros::Index>(settled_.size()); }

  void forget();
  /// S grows by x.
  void join(std::span<const double> x);
  void settle_next();
  /// v_k, k = 0, 1, ..., as it stands.
  std::span<const double> column(claros::Index k);
  /// ||x||^2 less that of its projection on S: no column that is not settled has a larger product with x,
  /// squared. Not below 0.
  double outside(std::span<const double> x) const;

  void state(claros::StateVisitor& v);

 private:
  using Vector = std::vector<double>;
  void make(claros::Index k);
  /// Projects twice, in the order of the bases: the second time removes the rounding of the first.
  void orthogonalize(Vector& x) const;
  bool has_room() const {
    return dimension_ - static_cast<claros::Index>(basis_.size()) > count_ - settled();
  }

  claros::Index dimension_, count_;
  claros::RandomStream stream_;
  std::vector<Vector> basis_;           ///< of S, orthonormal, in the order in which it grew
  std::vector<claros::Index> settled_;  ///< the places of v_1 .. v_m in it
  std::vector<Vector> standing_;        ///< v_{m+1}, ..., as far as they were asked for
};
