// SPDX-License-Identifier: BSD-3-Clause
/// @file solution_view.hpp  A solution as what is drawn of it: bars, a line, a map, or assigned pairs.
#pragma once

#include "plot/plot_script.hpp"

#include <claros/io/matrix_market.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

struct SolutionView {
  enum class Kind { bars, line, map, pairs };
  Kind kind = Kind::bars;
  std::string title;                ///< what is drawn: "x, 12 entries of which 5 are not 0"
  DenseTable values;                ///< of a vector one column
  std::vector<std::string> labels;  ///< of bars one each; of pairs one a row, then one a column
};

/// Reads the solution of a run folder. A vector of at most 40 entries, or with names, is bars; if there are
/// more than 30, the largest entries are first. A longer one is a line over its index. A matrix is a map; a
/// permutation matrix of at most 60 rows is its pairs. A solution of rank 1, X = x x', is drawn as x. A
/// solution in factors is drawn as its singular values with `factors`, or if it has more than four million
/// entries. Names of entries are those of `names` if it is not empty, else those of columns, ids, or of the
/// arcs of a flow. Throws Error(data) for a folder without a solution and for names that do not fit.
SolutionView solution_view(const std::filesystem::path& folder, const std::vector<std::string>& names,
                           bool factors);

/// Returns a script of gnuplot; pairs are not drawn in a terminal.
std::string solution_script(const SolutionView& view, const std::string& title, Picture picture);
/// Returns a text of `width` columns.
std::string solution_text(const SolutionView& view, const std::string& title, std::size_t width);

}  // namespace claros::cli
