// SPDX-License-Identifier: BSD-3-Clause
/// @file solution_view.hpp  A solution of a run folder as it is drawn: bars, a line, a map, or assigned
/// pairs.
#pragma once

#include <claros/io/matrix_market.hpp>
#include <claros/results/prediction.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

inline double entry_of(const DenseTable& table, Index i, Index j) {
  return table.values[static_cast<std::size_t>(j * table.rows + i)];
}

struct SolutionView {
  enum class Kind { bars, line, map, pairs };
  Kind kind = Kind::bars;
  std::string title;                ///< what is drawn: "x, 12 entries of which 5 are not 0"
  DenseTable values;                ///< of a vector one column
  std::vector<std::string> labels;  ///< of bars one each; of pairs one a row, then one a column
  std::vector<Index> column = {};   ///< of pairs: the column of each row
};

/// `solution` is that of the run in `folder`. A vector of at most 40 entries, or with names, is bars; if
/// there are more than 30, the largest entries are first. A longer one is a line over its index. A matrix is
/// a map; a permutation matrix of at most 60 rows is its pairs. A solution of rank 1, X = x x', is drawn as
/// x. A solution in factors is drawn as its singular values with `factors`, or if it has more than four
/// million entries. Names of entries are those of `names` if it is not empty, else those of columns, ids, or
/// of the arcs of a flow. Throws Error(data) for names that do not fit.
SolutionView solution_view(const Solution& solution, const std::filesystem::path& folder,
                           const std::vector<std::string>& names, bool factors);

}  // namespace claros::cli
