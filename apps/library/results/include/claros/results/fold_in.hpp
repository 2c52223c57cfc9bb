// SPDX-License-Identifier: BSD-3-Clause
/// @file fold_in.hpp  Rows and columns that come after the run, fitted with the other side held.
///
/// With X = P Q', P = U sqrt(S) and Q = V sqrt(S), the nuclear norm is (||P||^2 + ||Q||^2)/2, the least over
/// all such factors. So where X minimises f + lambda ||.||_*, or f over ||X||_* <= r with the multiplier
/// lambda, row i of P minimises over p
///     sum over its entries of w psi(<p, q_j>, y_ij - mu - b_i - c_j) + (w0/2) sum over the others of <p,
///     q_j>^2
///         + (ridge/2) ||p||^2,   ridge = lambda sum w over all entries,
/// and a row that was not there minimises the same. Its bias comes before: b minimises
///     (1/L) sum w psi(b, y_j - mu - c_j) + (lambda_b mean(w)/2) b^2,   L = sup psi''.
/// Columns likewise, with P and b held.
#pragma once

#include <claros/io/ratings.hpp>
#include <claros/loss.hpp>
#include <claros/objective.hpp>
#include <claros/results/prediction.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// lambda = -<grad f(X), X> / ||X||_*, at least 0, and 0 if X is 0. At a minimiser it is the factor of the
/// nuclear norm as a penalty, and the multiplier of its ball.
CLAROS_API double nuclear_multiplier(Objective& objective, const Element& x);

/// folding.csv in `folder`. Read without one, nothing is known.
CLAROS_API void write_folding(const std::filesystem::path& folder, const FoldingRule& rule);
CLAROS_API FoldingRule read_folding(const std::filesystem::path& folder);

struct FoldedIn {
  std::vector<Index> positions;         ///< of the new rows (columns), in the order of their ids
  Index replaced = 0;                   ///< the number of them that are in the training data too
  Index entries = 0, unknown = 0;       ///< that were used; whose other side the training data lacks
  std::vector<std::string> empty = {};  ///< ids with no entry that was used: the baseline alone
};

/// Fits the rows (columns) of `entries`, which have ids, and adds them to the solution; these entries replace
/// a row that it has. Entries of a column (row) that it lacks are left out, and counted. The fit is exact for
/// the squared loss, and by Newton's method for others. If the loss is not convex, it is the stationary point
/// to which Newton's method descends from 0. It uses the threads in force, with the same numbers on any
/// number of them.
///
/// Throws Error(data, where) without folding.csv, for entries without ids, and for values that the loss
/// refuses.
CLAROS_API FoldedIn fold_in(Solution& solution, Side side, Ratings entries, const Loss& loss,
                            const std::string& where);

}  // namespace claros
