// SPDX-License-Identifier: BSD-3-Clause
/// @file spread_biases.hpp  The normal equations of row and column biases, of entries in parts.
#pragma once

#include <claros/parts/rating_parts.hpp>

#include <vector>

namespace matrix_completion {

/// Solves like solve_biases (bias_equations.hpp), for entries by lines: the biases of the lines are
/// eliminated, and conjugate gradients run on the shorter side. A step sums one array of that side over the
/// ranks.
class SpreadBiases {
 public:
  /// `w` and `r`: the weights and residuals of every chunk of this rank.
  SpreadBiases(claros::RatingParts& parts, const std::vector<std::vector<double>>& w,
               const std::vector<std::vector<double>>& r, double lambda_line, double lambda_across);
  /// The biases of all lines, and of the shorter side, on every rank. Throws Error(numerical) if they are
  /// not found. Collective.
  void solve(std::vector<double>& lines, std::vector<double>& across) const;

 private:
  using Vector = std::vector<double>;
  /// Calls use(line of the chunk's first, across, weight, residual) for each entry of a chunk.
  template <class Use>
  void for_entries(claros::Index k, const Use& use) const;
  /// A sum over all entries, an array of the shorter side.
  template <class Use>
  Vector across_sum(const Use& use) const;
  /// D^-1 (a p - W c) of this rank's lines.
  Vector lines_given(double a, const Vector& c) const;
  Vector right_side() const;
  Vector times(const Vector& d) const;
  /// The arrays of all ranks' lines.
  Vector gathered(const Vector& mine) const;

  claros::RatingParts& parts_;
  const std::vector<Vector>&w_, &r_;
  std::size_t first_;              ///< line of this rank
  Vector line_weight_, line_sum_;  ///< of this rank's lines
  Vector across_weight_, across_sum_;
};

}  // namespace matrix_completion
