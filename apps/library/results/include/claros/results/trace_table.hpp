// SPDX-License-Identifier: BSD-3-Clause
/// @file trace_table.hpp  A trace that a run left behind, read back by columns.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

struct CLAROS_API TraceTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< one each name; NaN if a cell is empty

  /// The column of that name, or null.
  const std::vector<double>* find(const std::string& name) const;
};

/// Reads the CSV that `trace_csv` (trace.hpp) writes: names on the first line, then numbers or nothing; a
/// trace may hold no row. Throws Error(data, "file:line", ...) for anything else, and when the file is
/// missing.
CLAROS_API TraceTable read_trace(const std::filesystem::path& file);

}  // namespace claros
