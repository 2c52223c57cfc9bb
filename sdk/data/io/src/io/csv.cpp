// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include "io/consistency.hpp"
#include "io/holes.hpp"
#include "io/table_plan.hpp"
#include "io/text_output.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace claros {
namespace {

DenseTable column_major(const std::vector<double>& by_rows, Index cols) {
  DenseTable table{static_cast<Index>(by_rows.size()) / cols, cols, std::vector<double>(by_rows.size())};
  for (Index i = 0, k = 0; i < table.rows; ++i)
    for (Index j = 0; j < cols; ++j, ++k)
      table.values[static_cast<std::size_t>(i + j * table.rows)] = by_rows[static_cast<std::size_t>(k)];
  return table;
}

/// The name of a column in messages.
std::string label(const FieldReader& reader, std::size_t column) {
  const std::string number = "column " + std::to_string(column + 1);
  return reader.names().empty() ? number : number + " (" + reader.names()[column] + ")";
}

void write_names(TextOutput& out, const std::vector<std::string>& names, const std::string& where) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) out << ',';
    out << field_text(names[j], ',', where);
  }
  if (!names.empty()) out << '\n';
}

}  // namespace

std::vector<ParameterRow<TableOptions>> table_rows() {
  return {
      row("delimiter", &TableOptions::delimiter, delimiter_range(), "what separates the fields of a line"),
      row("header", &TableOptions::header, header_range(), "whether the first line names the columns")};
}

NamedTable read_table(const std::filesystem::path& path, const TableOptions& options,
                      const Context& context) {
  return table_of_text(path, options, Holes::refuse, context);
}

NamedTable table_of_text(const std::filesystem::path& path, const TableOptions& options, Holes holes,
                         const Context& context) {
  static const auto rows = table_rows();
  expect_in_range(options, rows);
  TextInput input(path);
  FieldReader reader(input, options.delimiter, options.header, 1);
  reader.note_header(context);
  std::vector<double> by_rows;
  GrowthWatch memory("the table");
  while (reader.next()) {
    memory.grown(8 * by_rows.size(), input.path().string());
    for (std::size_t j = 0; j < reader.fields().size(); ++j) {
      // The label is made only for a message: this loop runs for every number of the file.
      const std::optional<double> number = number_of(reader.fields()[j]);
      if (holes == Holes::keep && (!number || std::isnan(*number)) &&
          design_formats::is_missing(reader.fields()[j])) {
        by_rows.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      by_rows.push_back(number && std::isfinite(*number) ? *number : reader.number(j, label(reader, j)));
    }
  }
  if (by_rows.empty())
    throw Error(ErrorKind::data, path.string(), "the file holds a header but no numbers",
                "expected lines of numbers");
  return {column_major(by_rows, static_cast<Index>(reader.fields().size())), reader.names()};
}

void write_table(const std::filesystem::path& path, const DenseTable& table,
                 const std::vector<std::string>& names) {
  expect_consistent(table, path.string());
  if (!names.empty() && static_cast<Index>(names.size()) != table.cols)
    fail_writing(path.string(), std::to_string(names.size()) + " names for " + std::to_string(table.cols) +
                                    " columns; expected none, or one each");
  TextOutput out(path);
  write_names(out, names, path.string());
  for (Index i = 0; i < table.rows; ++i)
    for (Index j = 0; j < table.cols; ++j)
      out << table.values[static_cast<std::size_t>(i + j * table.rows)] << (j + 1 < table.cols ? ',' : '\n');
  out.commit();
}

}  // namespace claros
