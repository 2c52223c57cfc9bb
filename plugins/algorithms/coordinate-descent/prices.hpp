// SPDX-License-Identifier: BSD-3-Clause
/// @file prices.hpp  The multiplications of moves, of the Gram matrix, and of Newton steps with it.
#pragma once

#include "slopes.hpp"

#include <algorithm>
#include <cmath>

/// A BLAS makes several multiplications in the time of one of a move, which waits for memory. Products of
/// columns in a fixed order make fewer.
class Prices {
 public:
  /// `uniform`: all rows have the same weight.
  void start(const CoordinateColumns& of, bool uniform) {
    of_ = of;
    uniform_ = uniform;
    row_squares_ = of.columns->are_sparse() ? squares_of_rows(*of.columns) : 0.0;
  }
  /// The entries that were not 0 at the start. Products of their columns were likely made in an earlier
  /// round, or at an earlier lambda, and are kept. The products that really are kept decide nothing, since a
  /// resumed run has none of them.
  claros::Index& known() noexcept { return known_; }

  double move(bool has_gram) const {
    if (has_gram) return count();
    return 2.0 * static_cast<double>(of_.columns->stored()) / std::max(1.0, count());
  }
  double gram() const {
    const double p = count();
    if (of_.columns->are_sparse()) return p * p + 0.5 * row_squares_;
    const double known =
        uniform_ ? static_cast<double>(known_) / static_cast<double>(of_.output_count()) : 0.0;
    return static_cast<double>(of_.columns->rows()) * (p * p - kLikely * known * known) / 2.0 / kProducts;
  }
  /// For k coordinates that are not 0. The steps factorise as often as the support changes much.
  double newton(double k, bool has_gram) const {
    constexpr double kFactorizations = 4.0;
    return (has_gram ? 0.0 : gram()) + kFactorizations * k * k * k / 6.0 / kBlas + 2.0 * k * k +
           4.0 * k * count();
  }

  /// Epochs of k coordinates until the residual is a tenth, from the `epochs` that took it from `first` to
  /// `last`. They are at least the condition number of G_SS, as if the rows of A_S were random (Marchenko,
  /// Pastur 1967).
  double epochs_ahead(double k, double first, double last, claros::Index epochs) const {
    constexpr double kMostShare = 0.98;
    const double share = k / std::max(1.0, static_cast<double>(of_.columns->rows()));
    const double root = std::sqrt(std::min(share, kMostShare)),
                 condition = (1.0 + root) * (1.0 + root) / ((1.0 - root) * (1.0 - root));
    if (epochs == 0 || !(last < first)) return condition;
    return std::max(condition, static_cast<double>(epochs) * std::log(10.0) / std::log(first / last));
  }

 private:
  static constexpr double kBlas = 8.0, kProducts = 3.0;
  static constexpr double kLikely = 0.75;  ///< the share of the products that earlier moves have paid for
  double count() const { return static_cast<double>(of_.columns->count()); }

  CoordinateColumns of_;
  bool uniform_ = false;
  double row_squares_ = 0.0;  ///< of sparse columns: the sum of the squares of the numbers of entries of rows
  claros::Index known_ = 0;
};
