// SPDX-License-Identifier: BSD-3-Clause
/// @file program.hpp  The constraints of a linear program: from a file or written out.
#pragma once

#include <claros/context.hpp>

#include <string>
#include <vector>

namespace polytope {

using claros::Index;

/// {x : low <= x <= high, least <= A x <= most}, A by its entries that are not 0, row after row. Bounds may
/// be infinite.
struct Program {
  std::vector<double> low, high, least, most;
  std::vector<Index> start;  ///< of the rows, and the end
  std::vector<Index> column;
  std::vector<double> value;
  std::vector<std::string> names = {};  ///< of the columns; may be empty
  std::vector<char> integer = {};       ///< whether a column is declared to be an integer; empty: none is

  std::size_t columns() const noexcept { return low.size(); }
  std::size_t rows() const noexcept { return least.size(); }
  std::string name(std::size_t j) const { return j < names.size() ? names[j] : std::to_string(j + 1); }
};

/// True if a text holds rows, not the name of a file: it has a `;`, `<` or `>`, or numbers before a `=`.
bool is_written(std::string_view text);

/// "1 1 <= 1; 1 -1 >= -2": the coefficients of all variables, one of <=, =<, <, >=, =>, > and =, and a
/// number; x >= 0. Throws Error(usage).
Program written(const std::string& rows, const std::string& where);

/// A file of MPS (free or fixed) or LP format, which may be compressed. Throws Error(data) at the line of
/// what is no linear constraint. The objective of the file plays no part but for its variables.
Program read(const std::string& path);

}  // namespace polytope
