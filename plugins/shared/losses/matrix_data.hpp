// SPDX-License-Identifier: BSD-3-Clause
/// @file matrix_data.hpp  The data of an objective that is one matrix: a file, numbers written out, or the
/// rows of a data section.
#pragma once

#include <claros/dataset.hpp>
#include <claros/element/element.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/map/design.hpp>
#include <shared/sets/number_rows.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// A table of one row is a column, as a vector has one.
inline DenseTable as_column(DenseTable table) {
  if (table.rows == 1) std::swap(table.rows, table.cols);
  return table;
}

inline Shape shape_of(const DenseTable& table) { return Shape::matrix(table.rows, table.cols); }

/// Numbers written out ("1 2 3", with a ; between rows), or the matrix of a file; missing entries are NaN.
inline DenseTable written_matrix(const std::string& text, const std::string& key, const Context& context,
                                 const DesignOptions& options = {}) {
  if (text.find(';') == text.npos && !is_row(text, key, context))
    return as_column(read_matrix(context.resolve(text), options, context).table);
  expect_no_options(options, "numbers written out");
  const NumberRows rows = number_rows(text, key, context);
  return as_column({rows.count, rows.width, rows.by_columns()});
}

/// All entries of the rows.
inline DenseTable table_of(const Design& design) {
  DenseTable table{design.rows, design.cols,
                   std::vector<double>(static_cast<std::size_t>(design.rows * design.cols))};
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  for (Index i = 0; i < table.rows; ++i) {
    design.row(i, row);
    for (Index j = 0; j < table.cols; ++j)
      table.values[static_cast<std::size_t>(j * table.rows + i)] = row[static_cast<std::size_t>(j)];
  }
  return table;
}

/// The matrix of the option `data`, or the rows of the [data] section. Throws Error(usage) if there are
/// both or neither; `plugin` and `what` ("y") name the reader and the matrix.
inline DenseTable matrix_of(const std::string& data, const DesignOptions& options, const Context& context,
                            const std::string& plugin, const std::string& what) {
  if (!data.empty() && context.data)
    throw Error(ErrorKind::usage, "data", "is '" + data + "', and the [data] section makes data too",
                "keep one of them");
  if (!data.empty()) return written_matrix(data, "data", context, options);
  expect_no_options(options, "data in memory");
  const auto design = context.data ? context.data->design() : nullptr;
  if (!design)
    throw Error(ErrorKind::usage, "data",
                plugin + " needs " + what +
                    (context.data ? std::string(", and the data of [data] has no rows") : std::string()),
                "give objective.data = FILE (.npy, .csv, .mtx, .pgm, .png), numbers (\"1 2; 3 4\"), or a "
                "[data] section that makes rows");
  return as_column(table_of(*design));
}

/// "row 2, column 3" for the entry number k, column-major.
inline std::string place_of_entry(const DenseTable& table, std::size_t k) {
  const auto rows = static_cast<std::size_t>(table.rows);
  return table.cols == 1 ? "entry " + std::to_string(k + 1)
                         : "row " + std::to_string(k % rows + 1) + ", column " + std::to_string(k / rows + 1);
}

/// True if two entries that mirror each other differ by more than 1e-9 of them.
inline bool differ(double a, double b) {
  constexpr double kAlike = 1e-9;
  return !(std::abs(a - b) <= kAlike * std::max(std::abs(a), std::abs(b)));
}

inline bool is_symmetric(const DenseTable& table) {
  const auto at = [&](Index i, Index j) {
    return table.values[static_cast<std::size_t>(j * table.rows + i)];
  };
  if (table.rows != table.cols) return false;
  for (Index j = 0; j < table.cols; ++j)
    for (Index i = 0; i < j; ++i)
      if (differ(at(i, j), at(j, i))) return false;
  return true;
}

/// The remedy for missing entries of a table.
constexpr const char* kFill = "fill the gap, or set objective.missing = drop, mean or median";

/// Throws Error(data) for missing entries.
inline void require_all(const DenseTable& table, const std::string& key, const std::string& remedy) {
  for (std::size_t k = 0; k < table.values.size(); ++k)
    if (!std::isfinite(table.values[k]))
      throw Error(ErrorKind::data, key,
                  "expected a number in every entry, found none in " + place_of_entry(table, k), remedy);
}

}  // namespace claros::sdk
