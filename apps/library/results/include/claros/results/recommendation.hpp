// SPDX-License-Identifier: BSD-3-Clause
/// @file recommendation.hpp  The columns of largest predictions of a row, and how good such lists are.
#pragma once

#include <claros/results/prediction.hpp>

#include <limits>
#include <span>
#include <vector>

namespace claros {

/// The columns that each row has already, ascending: they are not recommended.
using SeenColumns = std::vector<std::vector<Index>>;
/// The columns of the pairs whose row and column are known and whose count is not 0. Other pairs are left
/// out.
CLAROS_API SeenColumns seen_columns(const Pairs& pairs, const Training& training);

struct Recommended {
  Index col = 0;       ///< or row, of similar rows
  double score = 0.0;  ///< X_ij + mean + row_i + col_j; or a cosine
};

/// For each of `rows`, from 0, the `count` columns of the largest scores, the largest first; of equal ones
/// the first is first. Fewer if there are no more. No list has a column that is in `seen` of its row or false
/// in `allowed`; an empty one excludes none. Columns without an entry in the training data are in no list.
/// In blocks of rows, on the threads in force, with the same numbers on any number of them.
CLAROS_API std::vector<std::vector<Recommended>> recommend(const Solution& solution,
                                                           std::span<const Index> rows, Index count,
                                                           const SeenColumns& seen = {},
                                                           const std::vector<bool>& allowed = {});

/// For each of `asked`, rows or columns of X, the `count` others at the smallest angles, and the cosines. One
/// that is 0 in X, or has no entry in the training data, is in no list, and has an empty one.
CLAROS_API std::vector<std::vector<Recommended>> similar(Solution& solution, Side side,
                                                         std::span<const Index> asked, Index count);

/// Means over the rows that have a relevant pair; NaN where there is none.
struct RankingQuality {
  Index rows = 0;  ///< with a relevant pair
  double precision =
      std::numeric_limits<double>::quiet_NaN();  ///< share of the list that is relevant: hits / k
  double recall = precision;                     ///< hits / relevant pairs of the row
  double map = precision;       ///< (1/min(k, relevant)) sum over the hits of (hits so far / rank)
  double ndcg = precision;      ///< sum over the hits of 1/log2(1 + rank), over that of the best list
  double auc = precision;       ///< share of (relevant, other) columns in the right order, ties half
  double coverage = precision;  ///< share of the columns with training entries that are in some list
};

/// Lists of `count` held against the pairs of `held`: relevant are those whose known value is at least
/// `least` (a count of 0 never is), all where there are no values. Ranked are the columns that `recommend`
/// may take. Pairs that are in `seen`, and those of unknown rows or columns, do not count. (Herlocker et al.
/// 2004; Jaervelin, Kekaelaeinen 2002.)
CLAROS_API RankingQuality ranking_quality(const Solution& solution, const Pairs& held, double least,
                                          Index count, const SeenColumns& seen = {});

}  // namespace claros
