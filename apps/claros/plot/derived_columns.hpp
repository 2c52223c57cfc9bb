// SPDX-License-Identifier: BSD-3-Clause
/// @file derived_columns.hpp  Names of columns that figures make from the columns of a trace.
#pragma once

namespace claros::cli {

/// Passes that count an index of a difference once: (sfo_indices + hvp) / n. This is what a method reads that
/// keeps the snapshot's coefficients; the column passes counts both gradients of a difference.
inline constexpr const char* kIndexPasses = "index_passes";

/// Iterations times the rank that their projections were asked for: what truncated decompositions cost on any
/// machine, up to a factor.
inline constexpr const char* kRankIterations = "rank_iterations";

/// Linear minimisations and projections: what a set is asked for by methods of either kind.
inline constexpr const char* kOracleCalls = "oracle_calls";

/// Singular pairs as papers count them: one a linear minimisation, r a projection of rank r. The column svd
/// counts the pairs that certificates take besides.
inline constexpr const char* kRankedPairs = "ranked_pairs";

/// The cost in singular pairs, as papers that compare seconds have it. A linear minimisation is one, and a
/// projection a full decomposition, which costs as many as the panel says.
inline constexpr const char* kPaperCost = "paper_cost";

/// The column of time. Rows over it are drawn, and no verdict is about them.
inline constexpr const char* kSeconds = "seconds";

/// The column value - (value of the reference). Differences below 1e-14 of the value are rounding and are
/// left out. A reference that is solved to a gap may be too large by that gap: smaller differences are shown
/// as the gap.
inline constexpr const char* kSuboptimality = "suboptimality";
/// The column ||x - x^||_F^2, with x^ the solution of the reference. In the runs of the curves, x^ takes the
/// place of the truth that the data were made from (trace.truth).
inline constexpr const char* kDistance = "distance";

}  // namespace claros::cli
