// SPDX-License-Identifier: BSD-3-Clause
/// @file columns.hpp  Orthonormal columns that are chosen when they have to be.
#pragma once

#include <claros/random.hpp>
#include <claros/state/state.hpp>

#include <span>
#include <vector>

/// V = [v_1 .. v_T] in R^{d x T}, V'V = I, of which v_1 .. v_m are settled. S is the span of these and of the
/// points that were asked about. The others stand for now as what Gram-Schmidt makes of Gaussian directions,
/// drawn from the seed one a column, in the complement of S: they are orthogonal to all that was asked, and
/// change only when a point outside S is. The next is settled as it stands. A point joins S as long as T - m
/// directions are left besides; after that V changes no more.
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
  /// Twice, in the order of the bases: what rounding leaves of the first time is taken off by the second.
  void orthogonalize(Vector& x) const;
  bool has_room() const {
    return dimension_ - static_cast<claros::Index>(basis_.size()) > count_ - settled();
  }

  claros::Index dimension_, count_;
  claros::RandomStream stream_;
  std::vector<Vector> basis_;           ///< of S, orthonormal, in the order in which it grew
  std::vector<claros::Index> settled_;  ///< where v_1 .. v_m stand in it
  std::vector<Vector> standing_;        ///< v_{m+1}, ..., as far as they were asked for
};
