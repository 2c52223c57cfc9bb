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

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <span>
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

bool is_unnamed(const std::vector<std::string>& names) {
  return !names.empty() && (names.front().empty() || names.front() == "Unnamed: 0");
}

/// True if the first column holds whole numbers that all differ.
bool numbers_rows(const DenseTable& table) {
  const auto column = std::span(table.values).first(static_cast<std::size_t>(table.rows));
  return table.cols > 1 && std::ranges::all_of(column, [](double v) { return v == std::floor(v); }) &&
         std::set<double>(column.begin(), column.end()).size() == column.size();
}

/// pandas names rows and columns 0, 1, 2 and so on; a first line of numbers is no header.
void expect_no_labels(const DenseTable& table, const std::string& path) {
  const auto at = [&](Index i, Index j) {
    return table.values[static_cast<std::size_t>(j * table.rows + i)];
  };
  if (table.rows < 2 || table.cols < 2 || !std::isnan(at(0, 0))) return;
  for (Index i = 1; i < table.rows; ++i)
    if (at(i, 0) != static_cast<double>(i - 1)) return;
  for (Index j = 1; j < table.cols; ++j)
    if (at(0, j) != static_cast<double>(j - 1)) return;
  throw Error(ErrorKind::data, path, "the first line and the first column count from 0: labels of pandas",
              "write the table without them: to_csv(FILE, header=False, index=False)");
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
  NamedTable result{{}, reader.names()};
  GrowthWatch memory("the table");
  bool named = false;
  for (bool first = true; reader.next(); first = false) {
    memory.grown(8 * by_rows.size(), input.path().string());
    const std::string_view front = reader.fields().front();
    const bool is_name = !number_of(front) && !design_formats::is_missing(front);
    if (first) named = is_name && reader.width() > 1 && !reader.names().empty();
    if (named && !is_name)
      reader.fail(label(reader, 0) + " is " + shown(front) + ", and names the row in other lines, such as " +
                      shown(result.rows.front()),
                  "write a name in every row, or a number");
    if (named) result.rows.emplace_back(front);
    for (std::size_t j = named ? 1 : 0; j < reader.fields().size(); ++j) {
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
  result.table = column_major(by_rows, static_cast<Index>(reader.width() - (named ? 1 : 0)));
  DenseTable& table = result.table;
  expect_no_labels(table, path.string());
  if (!named && is_unnamed(result.names) && numbers_rows(table)) {
    const auto end = table.values.begin() + table.rows;
    std::transform(table.values.begin(), end, std::back_inserter(result.rows), print_real);
    table.values.erase(table.values.begin(), end);
    table.cols -= 1;
  }
  if (result.rows.empty()) return result;
  context.note((is_unnamed(result.names) ? "column 1" : label(reader, 0)) + " names the rows");
  if (!result.names.empty()) result.names.erase(result.names.begin());
  return result;
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
