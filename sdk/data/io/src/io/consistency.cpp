// SPDX-License-Identifier: BSD-3-Clause
#include "io/consistency.hpp"

#include <claros/error.hpp>

#include <cmath>
#include <utility>

namespace claros {
namespace {

std::string size(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

void expect_finite(double value, Index row, Index col, const std::string& where) {
  if (!std::isfinite(value))
    fail_writing(where, entry_name(row, col) + " is " + print_real(value) + "; expected a finite number");
}

}  // namespace

std::string entry_name(Index row, Index col) {
  return "the entry in row " + std::to_string(row + 1) + ", column " + std::to_string(col + 1) +
         " (counted from 1)";
}

void fail_writing(const std::string& where, const std::string& what) {
  throw Error(ErrorKind::data, where, "cannot be written: " + what,
              "fix the data that is handed to the writer");
}

void expect_consistent(const Ratings& r, const std::string& where) {
  const auto fits = [](const std::vector<std::string>& ids, Index count) {
    return ids.empty() || static_cast<Index>(ids.size()) == count;
  };
  if (r.row.size() != r.value.size() || r.col.size() != r.value.size())
    fail_writing(where, std::to_string(r.row.size()) + " rows, " + std::to_string(r.col.size()) +
                            " columns and " + std::to_string(r.value.size()) +
                            " values; expected as many of each");
  if (!fits(r.row_ids, r.rows) || !fits(r.col_ids, r.cols))
    fail_writing(where, std::to_string(r.row_ids.size()) + " row ids and " +
                            std::to_string(r.col_ids.size()) + " column ids for " + size(r.rows, r.cols) +
                            "; expected none, or one each");
  if (!r.weight.empty() && r.weight.size() != r.value.size())
    fail_writing(where, std::to_string(r.weight.size()) + " weights for " + std::to_string(r.value.size()) +
                            " values; expected none, or one each");
  for (std::size_t i = 0; i < r.value.size(); ++i) {
    if (r.row[i] < 0 || r.row[i] >= r.rows || r.col[i] < 0 || r.col[i] >= r.cols)
      fail_writing(where, entry_name(r.row[i], r.col[i]) + " is outside " + size(r.rows, r.cols));
    if (i > 0 && std::pair(r.row[i], r.col[i]) <= std::pair(r.row[i - 1], r.col[i - 1]))
      fail_writing(where, entry_name(r.row[i], r.col[i]) + " comes after " +
                              entry_name(r.row[i - 1], r.col[i - 1]) +
                              "; expected entries sorted by (row, column), each once");
    expect_finite(r.value[i], r.row[i], r.col[i], where);
  }
}

void expect_consistent(const DenseTable& table, const std::string& where) {
  if (table.rows < 1 || table.cols < 1 || static_cast<Index>(table.values.size()) != table.rows * table.cols)
    fail_writing(where, std::to_string(table.values.size()) + " values for " + size(table.rows, table.cols) +
                            "; expected rows * cols, at least one");
  for (std::size_t k = 0; k < table.values.size(); ++k)
    expect_finite(table.values[k], static_cast<Index>(k) % table.rows, static_cast<Index>(k) / table.rows,
                  where);
}

}  // namespace claros
