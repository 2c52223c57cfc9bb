// SPDX-License-Identifier: BSD-3-Clause
/// @file number_rows.hpp  Options that are lists or tables of numbers: written out, or in a file.
#pragma once

#include <claros/context.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace claros::sdk {

/// A table, a row after the other.
struct NumberRows {
  Index count = 0, width = 0;
  std::vector<double> values = {};

  std::span<const double> row(Index i) const {
    return std::span(values).subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
  }
  /// Returns the values column after column.
  std::vector<double> by_columns() const {
    std::vector<double> all;
    all.reserve(values.size());
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < count; ++i) all.push_back(values[static_cast<std::size_t>(i * width + j)]);
    return all;
  }
};

/// The pieces of a text between any of the separators; empty ones are left out.
inline std::vector<std::string_view> pieces(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> all;
  for (std::size_t at = text.find_first_not_of(separators); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    all.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return all;
}

/// "1 2, 3": Error(usage) at `where` for what is not a finite number.
inline std::vector<double> numbers_of(std::string_view text, const std::string& where) {
  std::vector<double> values;
  for (const std::string_view piece : pieces(text, ", \t")) {
    double value = kUnset;
    try {
      value = parse_real(piece);
    } catch (const Error&) {
    }
    if (!(value - value == 0.0))
      throw Error(ErrorKind::usage, where, "'" + std::string(piece) + "' is not a finite number",
                  "write numbers with blanks or commas between them");
    values.push_back(value);
  }
  return values;
}

/// Whether a word is a number, finite or not.
inline bool is_number(std::string_view word) {
  std::string plain(word.substr(word.starts_with('+') || word.starts_with('-') ? 1 : 0));
  for (char& c : plain)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (plain == "nan" || plain == "inf" || plain == "infinity") return true;
  try {
    return parse_real(word), true;
  } catch (const Error&) {
    return false;
  }
}

/// Throws Error(usage) at `where` if a text that holds numbers is the name of a file too.
inline void expect_no_file(const std::string& text, const std::string& where, const Context& context) {
  std::error_code none;
  if (std::filesystem::is_regular_file(context.resolve(text), none))
    throw Error(ErrorKind::usage, where, "'" + text + "' is numbers, and the name of a file",
                "write ./" + text + " for the file, or " + text + "; for the numbers");
}

/// Whether a text is numbers and nothing else, one row, not the name of a file; numbers that are not finite
/// are refused where they are read. Throws Error(usage) at `where` if it is both.
inline bool is_row(const std::string& text, const std::string& where, const Context& context) {
  const auto words = pieces(text, ", \t");
  const bool digits = text.find_first_not_of("0123456789.,+-eE \t") == text.npos && words.size() > 1;
  if (!digits && (words.empty() || !std::ranges::all_of(words, is_number))) return false;
  expect_no_file(text, where, context);
  return true;
}

/// The rows that a text holds, with a `;` behind each or between them ("1 0; 0 1"), one row alone ("1 0"), or
/// those of the file that it names (`read_numbers`). Throws Error(usage) or Error(data), also if rows differ
/// in length.
inline NumberRows number_rows(const std::string& text, const std::string& where, const Context& context) {
  NumberRows rows;
  if (text.find(';') == text.npos && !is_row(text, where, context)) {
    const DenseTable table = read_numbers(context.resolve(text), context);
    rows = {table.rows, table.cols, std::vector<double>(table.values.size())};
    for (Index j = 0; j < table.cols; ++j)
      for (Index i = 0; i < table.rows; ++i)
        rows.values[static_cast<std::size_t>(i * table.cols + j)] =
            table.values[static_cast<std::size_t>(j * table.rows + i)];
    return rows;
  }
  for (const std::string_view line : pieces(text, ";")) {
    const std::vector<double> values = numbers_of(line, where);
    if (values.empty()) continue;
    if (rows.count == 0) rows.width = static_cast<Index>(values.size());
    ++rows.count;
    if (static_cast<Index>(values.size()) != rows.width)
      throw Error(ErrorKind::usage, where,
                  "row " + std::to_string(rows.count) + " has " + std::to_string(values.size()) +
                      " numbers, and the first has " + std::to_string(rows.width),
                  "give every row as many numbers as the first");
    rows.values.insert(rows.values.end(), values.begin(), values.end());
  }
  if (rows.count == 0)
    throw Error(ErrorKind::usage, where, "'" + text + "' holds no numbers",
                "write rows with a ; between them, or the name of a file");
  return rows;
}

/// A list: "3 2 1" or "3; 2; 1" written out, or all numbers of the file that the text names. A matrix, as
/// rows with a ; between or a file, gives its entries column-major, as the variable has them.
inline std::vector<double> number_list(const std::string& text, const std::string& where,
                                       const Context& context) {
  return number_rows(text, where, context).by_columns();
}

/// Throws Error(usage) unless a list of `what`, if there is one, has a number for each entry of the
/// variable.
inline void require_count(std::size_t have, Index entries, const std::string& where,
                          const std::string& what) {
  if (static_cast<Index>(have) == entries) return;
  throw Error(ErrorKind::usage, where,
              "there are " + std::to_string(have) + " " + what + ", and the variable has " +
                  std::to_string(entries) + " entries",
              "give one for each entry, column-major");
}

}  // namespace claros::sdk
