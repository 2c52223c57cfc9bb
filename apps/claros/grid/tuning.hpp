// SPDX-License-Identifier: BSD-3-Clause
/// @file tuning.hpp  The best cell of a grid, and grids of powers.
#pragma once

#include <claros/grids/comparison.hpp>

#include <span>
#include <string>
#include <vector>

namespace claros::cli {

/// "2^-12..2^1", the powers of one base between two exponents, as "2^-12,2^-11,...,2^1"; parts between commas
/// are replaced one by one, all other text stays. Throws Error(usage) with `where` if only one end is a
/// power, or a power of another base.
std::string with_ranges(const std::string& values, const std::string& where);

/// The measure by which a cell is the best: the smallest value at the end, the fewest passes to a target of
/// [stop], or the smallest RMSE. The RMSE is on test data or against the truth.
enum class TunedBy { final_value, passes_to_target, test_rmse, rmse_truth };
/// "final" or "target". Throws Error(usage) with `where` for another word.
TunedBy tuned_by(const std::string& word, const std::string& where);

/// `cells` (indices of grid.cells) by the median over the seeds, the best first. A cell with a run that
/// failed, diverged, or missed the target is left out.
std::vector<std::size_t> ranked_cells(const Comparison& grid, std::span<const std::size_t> cells, TunedBy by);

/// The text after `best of 9 by`.
std::string criterion_text(TunedBy by);

/// "smallest" or "largest" when `value` is an end of at least two numbers, else empty.
std::string edge_of(const std::vector<std::string>& values, const std::string& value);

}  // namespace claros::cli
