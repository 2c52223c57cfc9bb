// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include "io/file_kind.hpp"
#include "io/holes.hpp"
#include "io/numpy_archive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// A list has a row, a column, a value, and perhaps times and the like.
bool is_width_of_list(Index columns) { return columns >= 3 && columns <= 8; }

}  // namespace

DenseTable read_matrix(const std::filesystem::path& path, const Context& context) {
  return within_memory(path.string(), [&] {
    if (holds_coordinates(path)) return filled(read_ratings(path, {}, context), path.string());
    return numbers_of(path, Holes::keep, context).table;
  });
}

NamedTable names_in_table(const std::filesystem::path& path) try {
  NamedTable named = holds_coordinates(path) ? NamedTable() : numbers_of(path, Holes::keep, {});
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

bool holds_matrix(const std::filesystem::path& path) {
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
  const std::string delimiter = FieldSplitter::guess(line);
  FieldSplitter splitter(input, delimiter);
  if (delimiter.empty()) return true;
  if (is_width_of_list(static_cast<Index>(splitter.split(line).size()))) return false;
  std::string_view second;  // the first may be a header
  if (!input.next_filled(second)) return true;
  return std::ranges::any_of(splitter.split(second),
                             [](std::string_view field) { return number_of(field).has_value(); });
}

}  // namespace claros
