// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include "io/file_kind.hpp"
#include "io/holes.hpp"
#include "io/list_columns.hpp"
#include "io/numpy_archive.hpp"
#include "io/written_number.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace claros {
namespace {

std::string_view first_line(TextInput& input) {
  std::string_view line;
  return input.next_filled(line) ? line : std::string_view();
}

bool is_coordinate_banner(std::string_view line) {
  return line.starts_with("%%MatrixMarket") && line.find("coordinate") != line.npos;
}

DenseTable filled(const Ratings& entries, const std::string& where) {
  const double size = static_cast<double>(entries.rows) * static_cast<double>(entries.cols);
  expect_memory(
      8.0 * size, where,
      "the " + std::to_string(entries.rows) + " x " + std::to_string(entries.cols) + " matrix of all entries",
      "take a smaller matrix");
  DenseTable table{entries.rows, entries.cols, std::vector<double>(static_cast<std::size_t>(size), 0.0)};
  for (std::size_t e = 0; e < entries.value.size(); ++e)
    table.values[static_cast<std::size_t>(entries.col[e] * entries.rows + entries.row[e])] = entries.value[e];
  return table;
}

Index columns_of_array(const NumpyArray& array) { return array.sizes().size() == 2 ? array.sizes()[1] : 1; }

bool is_text_table(const std::filesystem::path& path) {
  const std::string bytes = first_bytes(path);
  if (is_zip(bytes) || is_npy(bytes) || is_png(bytes) || is_pgm(bytes)) return false;
  TextInput input(path);
  return !first_line(input).starts_with("%%MatrixMarket");
}

/// The number that is put for missing entries of a column.
double fill_of(std::span<const double> column, Missing missing) {
  std::vector<double> known;
  std::ranges::copy_if(column, std::back_inserter(known), [](double value) { return !std::isnan(value); });
  if (known.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (missing == Missing::mean)
    return std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
  std::ranges::sort(known);
  return 0.5 * (known[(known.size() - 1) / 2] + known[known.size() / 2]);
}

/// Leaves out the rows with a missing entry.
void drop_rows(NamedTable& named) {
  const DenseTable all = std::move(named.table);
  const auto rows = static_cast<std::size_t>(all.rows);
  std::vector<bool> drops(rows, false);
  for (std::size_t k = 0; k < all.values.size(); ++k)
    if (std::isnan(all.values[k])) drops[k % rows] = true;
  named.table = {std::ranges::count(drops, false), all.cols, {}};
  for (std::size_t k = 0; k < all.values.size(); ++k)
    if (!drops[k % rows]) named.table.values.push_back(all.values[k]);
  std::erase_if(named.rows, [&, i = std::size_t{0}](const std::string&) mutable { return drops[i++]; });
}

void treat_missing(NamedTable& named, Missing missing, const Context& context) {
  DenseTable& table = named.table;
  const Index holes = missing_entries(table), rows = table.rows;
  if (missing == Missing::refuse || holes == 0) return;
  if (missing == Missing::drop) {
    drop_rows(named);
    if (table.rows == 0)
      throw Error(ErrorKind::data, "missing", "drop leaves no row: every one has a missing entry",
                  "take mean or median, or leave out columns with without");
    return context.note(std::to_string(rows - table.rows) + " of " + std::to_string(rows) +
                        " rows have a missing entry and are left out");
  }
  for (Index j = 0; j < table.cols; ++j) {
    const auto column =
        std::span(table.values).subspan(static_cast<std::size_t>(j * rows), static_cast<std::size_t>(rows));
    const double fill = fill_of(column, missing);
    for (double& value : column) value = std::isnan(value) ? fill : value;
  }
  context.note(std::to_string(holes) + " missing entries are the " +
               (missing == Missing::mean ? "mean" : "median") + " of their column");
}

/// A list has a row, a column, a value, and perhaps times and the like.
bool is_width_of_list(Index columns) { return columns >= 3 && columns <= 8; }

}  // namespace

DenseTable read_matrix(const std::filesystem::path& path, const Context& context) {
  return within_memory(path.string(), [&] {
    if (holds_coordinates(path)) return filled(read_ratings(path, {}, context), path.string());
    return numbers_of(path, Holes::keep, context).table;
  });
}

std::vector<ParameterRow<DesignOptions>> matrix_rows(bool holes) {
  auto rows = design_rows();
  std::erase_if(rows, [&](const ParameterRow<DesignOptions>& row) {
    const std::string& name = row.info.name;
    const bool is_of_text =
        name == "without" || name == "decimal" || name == "dates" || name == "delimiter" || name == "header";
    return !is_of_text && (holes || name != "missing");
  });
  return rows;
}

void expect_no_options(const DesignOptions& options, const std::string& what) {
  static const auto rows = matrix_rows();
  for (const auto& row : rows)
    if (row.print(options) != row.print({}))
      throw Error(ErrorKind::usage, row.info.name, "is about tables of text, and not about " + what,
                  "leave it out");
}

NamedTable read_matrix(const std::filesystem::path& path, const DesignOptions& options,
                       const Context& context) {
  if (!is_text_table(path)) expect_no_options(options, path.string());
  if (options.missing == Missing::indicator)
    throw Error(ErrorKind::usage, "missing", "indicator adds columns, and a matrix keeps those that it has",
                "take drop, mean or median");
  if (holds_coordinates(path)) return {read_matrix(path, context), {}};
  NamedTable named =
      within_memory(path.string(), [&] { return numbers_of(path, Holes::keep, context, &options); });
  treat_missing(named, options.missing, context);
  return named;
}

NamedTable names_in_table(const std::filesystem::path& path, const DesignOptions& options) try {
  NamedTable named = read_matrix(path, options, {});
  named.table.values.clear();
  return named;
} catch (const Error&) {
  return {};
}

Index missing_entries(const DenseTable& table) noexcept {
  return std::count_if(table.values.begin(), table.values.end(),
                       [](double value) { return std::isnan(value); });
}

bool holds_coordinates(const std::filesystem::path& path) {
  const std::string bytes = first_bytes(path);
  if (is_zip(bytes)) return NumpyArchive(path).is_sparse();
  if (!binary_kind(bytes).empty() || is_pgm(bytes)) return false;
  TextInput input(path);
  return is_coordinate_banner(first_line(input));
}

bool holds_matrix(const std::filesystem::path& path, std::string_view given) {
  const std::string bytes = first_bytes(path);
  if (is_png(bytes) || is_pgm(bytes)) return true;
  if (is_npy(bytes)) return !is_width_of_list(columns_of_array(open_npy(path)));
  if (is_zip(bytes)) {
    const NumpyArchive archive(path);
    return !archive.is_sparse() && archive.names().size() == 1 &&
           !is_width_of_list(columns_of_array(archive.open(archive.names().front())));
  }
  if (!binary_kind(bytes).empty()) return false;
  TextInput input(path);
  const std::string line(first_line(input));
  if (line.starts_with("%%MatrixMarket")) return !is_coordinate_banner(line);
  const std::string delimiter = given == "auto" ? FieldSplitter::guess(line) : std::string(given);
  FieldSplitter splitter(input, delimiter);
  if (delimiter.empty()) return true;
  const auto& first = splitter.split(line);
  if (is_width_of_list(std::ssize(first)) || names_list(first)) return false;
  std::string_view second;  // the first may be a header
  if (!input.next_filled(second)) return true;
  return std::ranges::any_of(splitter.split(second), design_formats::looks_like_number);
}

}  // namespace claros
