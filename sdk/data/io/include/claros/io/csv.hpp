// SPDX-License-Identifier: BSD-3-Clause
/// @file csv.hpp  Tables of numbers as delimited text.
#pragma once

#include <claros/api.hpp>
#include <claros/context.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/parameters.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// How a table is read; the words mean what they mean in ratings.hpp.
struct TableOptions {
  std::string delimiter = "auto";
  std::string header = "auto";
};

/// A table, and the names of its columns and rows; they are empty if the file has none.
struct NamedTable {
  DenseTable table;
  std::vector<std::string> names, rows = {};
};

/// The rows of a parameter table, for a plugin to include.
CLAROS_API std::vector<ParameterRow<TableOptions>> table_rows();

/// Reads a file of one line a row, plain or compressed (text_input.hpp). Every line has as many fields as the
/// first, every field is a finite number, and blank lines are skipped. Throws Error(data, "file:line", ...)
/// otherwise. A first column of texts under a header holds the names of the rows. So does one without a name
/// that holds whole numbers that all differ. context.note says so, and which line `auto` took for a header.
CLAROS_API NamedTable read_table(const std::filesystem::path& path, const TableOptions& options = {},
                                 const Context& context = {});

/// Writes the table with commas, after a line of `names` unless they are empty; whole or not at all. Values
/// read back to the same bits. Throws Error(data) when sizes do not fit or a value is not finite.
CLAROS_API void write_table(const std::filesystem::path& path, const DenseTable& table,
                            const std::vector<std::string>& names = {});

/// `text` as a field that reads back to it, in quotes where needed. Throws Error(data) at `where`, the file
/// to be written, for control characters.
CLAROS_API std::string field_text(const std::string& text, char delimiter, const std::string& where);

}  // namespace claros
