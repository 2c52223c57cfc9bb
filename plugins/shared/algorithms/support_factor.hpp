// SPDX-License-Identifier: BSD-3-Clause
/// @file support_factor.hpp  Linear systems of the principal submatrices of one matrix.
#pragma once

#include <claros/api.hpp>

#include <optional>
#include <span>
#include <vector>

namespace claros {

/// Solves (G_SS + diag(e)) d = r for sets S that change little from call to call. G is symmetric,
/// column-major, `count` x `count`.
///
/// B is the set of the last factorization, L L' = G_BB + diag(e_B). Indices that S has and B lacks are the
/// set A; those of B that S lacks are the set D. An index whose e changed counts as both. With x_D = 0 held
/// by multipliers the system is bordered by U = [G_BA, I_D], and its Schur complement has |A| + |D| rows
/// (Gill, Murray, Saunders, Wright 1990, A Schur-complement method for sparse quadratic programming): a
/// solution costs |B|^2 (|A| + |D|) multiplications instead of |B|^3 / 6. When a tenth of B has changed, B
/// becomes S.
class SupportFactor {
 public:
  /// S ascending; `extra` and `r` have a number for each of its members. Nothing if the matrix is not
  /// positive definite to rounding.
  std::optional<std::vector<double>> solve(std::span<const double> G, Index count, std::span<const Index> S,
                                           std::span<const double> extra, std::span<const double> r);
  Index factorizations() const noexcept { return factorizations_; }

 private:
  struct Changes {
    std::vector<Index> added;    ///< places in S
    std::vector<Index> dropped;  ///< places in B
    std::vector<Index> place;    ///< the place of each member of S in B; -1 if it was added
  };
  Changes changes(std::span<const Index> S, std::span<const double> extra) const;
  bool factor(std::span<const double> G, Index count, std::span<const Index> S,
              std::span<const double> extra);

  std::vector<Index> base_;    ///< B
  std::vector<double> extra_;  ///< e_B
  std::vector<double> lower_;  ///< L, column-major; what is above its diagonal is not read
  Index factorizations_ = 0;
};

}  // namespace claros
