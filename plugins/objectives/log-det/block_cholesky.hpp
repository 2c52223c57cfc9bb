// SPDX-License-Identifier: BSD-3-Clause
/// @file block_cholesky.hpp  Cholesky factors of symmetric matrices that fall into blocks.
#pragma once

#include <claros/element/shape.hpp>

#include <limits>
#include <span>
#include <vector>

namespace log_det {

/// X = (A + A')/2, p x p, as log det X and X^{-1}. The connected components of the nonzero entries are the
/// blocks of X, which are factorised one by one. So k blocks of one size cost 1/k^2 of the whole.
class BlockCholesky {
 public:
  BlockCholesky() = default;
  /// A: column-major.
  BlockCholesky(std::span<const double> A, claros::Index p);

  /// True if all pivots are above 0; false if an entry is not finite.
  bool is_definite() const noexcept { return definite_; }
  /// log det X; NaN unless X is positive definite.
  double log_det() const noexcept { return log_det_; }
  /// sum_i |log of pivot i|, for the rounding of the sum.
  double log_magnitude() const noexcept { return log_magnitude_; }
  claros::Index blocks() const noexcept { return static_cast<claros::Index>(blocks_.size()); }

  /// G <- G + a X^{-1}, X positive definite; the added matrix is symmetric bit for bit. The first call makes
  /// the inverse.
  void add_inverse(double a, std::span<double> G);
  /// |X^{-1}| d, entry by entry magnitudes.
  std::vector<double> magnitudes_times(std::span<const double> d);

 private:
  struct Block {
    std::vector<claros::Index> members;  ///< ascending
    std::vector<double> values;          ///< L, then the lower triangle of the inverse; column-major
  };
  void factor(Block& block, std::span<const double> A);
  void invert();
  /// f(i, j, (X^{-1})_ij) for the entries of the blocks with i >= j.
  template <class Function>
  void for_each_below(const Function& f) const;

  claros::Index p_ = 0;
  std::vector<Block> blocks_;
  bool definite_ = false, inverted_ = false;
  double log_det_ = std::numeric_limits<double>::quiet_NaN(), log_magnitude_ = 0.0;
};

}  // namespace log_det
