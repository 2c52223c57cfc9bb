// SPDX-License-Identifier: BSD-3-Clause
/// @file composition_tables.hpp  The compatibility of components, computed on small problems.
#pragma once

#include "catalogue/small_problems.hpp"

#include <string>
#include <vector>

namespace claros::cli {

/// Number of steps of --run, and the limit in every cell: more than one epoch.
inline constexpr Index kSteps = 25;

/// A composition of two components with whatever else they need, and why it is refused.
struct Cell {
  const SmallProblem* problem = nullptr;
  Words words;                     ///< the composition, beside the problem's
  std::vector<Complaint> refused;  ///< empty: it runs
  bool runs() const noexcept { return problem && refused.empty(); }
};

/// Rows and columns are components; cells[r][c].
struct CompositionTable {
  std::string title, meaning;
  Kind row_kind{}, column_kind{};
  std::vector<std::string> rows, columns;
  std::vector<std::vector<Cell>> cells;
};

/// Estimators under algorithms; losses and objectives under estimators; sets, penalties and smoothers under
/// algorithms; penalties and sets at once. Nothing is listed by hand: every cell is composed and started dry,
/// as `claros check` does. If a cell needs company (a problem, and a penalty or a set), it gets the first
/// that its row and its column take. With `only` the rows and columns of this component come alone, with the
/// cells that they have in the whole.
std::vector<CompositionTable> composition_tables(const Catalog& catalog, const PluginEntry* only = nullptr);

}  // namespace claros::cli
