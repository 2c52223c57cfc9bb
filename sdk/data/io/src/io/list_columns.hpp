// SPDX-License-Identifier: BSD-3-Clause
/// @file list_columns.hpp  Lists of row, column, value: which field of a line is which, and its numbers.
#pragma once

#include <claros/io/fields.hpp>

#include <claros/context.hpp>
#include <claros/io/ratings.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// What a reader of lists wants of a line beside row and column.
struct ListNeeds {
  enum class Fourth { none, weight, time };
  bool value = true;  ///< required; else a list may lack it
  Fourth fourth = Fourth::none;

  std::size_t fields() const { return fourth != Fourth::none ? 4 : value ? 3 : 2; }
};
/// Throws Error(usage) if the fourth field would be a weight and a time.
ListNeeds needs_of(const RatingsOptions& options);

/// The field of the row (k = 0), the column (1) or the value (2) by the numbers of `columns`; else the k-th.
std::size_t numbered_field(const std::string& columns, std::size_t k);
/// True if a header names a row, a column and a value, each once.
bool names_list(const std::vector<std::string_view>& names);

/// A first line is a header if it holds no number and the field of the value may be a name: "None" and "5/5"
/// are broken values. It looks like data if its ids are made as those of the line behind it. `columns`:
/// RatingsOptions::columns.
HeaderRule list_header_rule(const std::string& columns);
/// "yes" where `columns` has names, else `header`. Throws Error(usage) for names beside header = no.
std::string list_header(const std::string& header, const std::string& columns);

/// A line that was taken for a header.
struct GuessedHeader {
  std::string row, col;  ///< what would be ids
  std::string place, text;

  /// Throws Error(data): one of the ids is that of another line.
  [[noreturn]] void refuse() const;
};

/// The fields of a list by `columns` (names of the header, or numbers from 1); else by a header that names
/// row, column and value; else the first ones.
class ListColumns {
 public:
  /// Throws Error(usage, "columns") for columns that are not in the list, Error(data) for a header that says
  /// that the first fields are others.
  ListColumns(const FieldReader& reader, const std::string& columns, const ListNeeds& needs);

  std::size_t row = 0, col = 1;
  std::optional<std::size_t> value, fourth;

  /// Whether they are the first ones, in this order.
  bool in_order() const;
  /// Says which fields are read, if that is not plain.
  void note(const FieldReader& reader, const Context& context) const;
  /// A header that was not declared and does not name row and column.
  std::optional<GuessedHeader> guess(const FieldReader& reader) const;

 private:
  void take_words(const FieldReader& reader, const std::string& columns, const ListNeeds& needs);
  void take_names(const FieldReader& reader, const ListNeeds& needs);
  [[noreturn]] void refuse_names(const FieldReader& reader, const ListNeeds& needs) const;

  bool named_ = false;  ///< by the header, all of them
};

/// The numbers of one column, with a point or a comma before the decimals, as in tables (RatingsOptions).
class Decimals {
 public:
  Decimals(const std::string& rule, std::string_view delimiter);

  /// Field `i` as a finite number; `name` says what it is.
  double number(const FieldReader& reader, std::size_t i, const std::string& name);
  /// Throws Error(data, where) for a column that has points and commas, or commas that may be of thousands.
  void expect_one(const std::string& where) const;

  bool point = false, comma = false;  ///< in the numbers so far
  bool decimal = false;               ///< true if one of the commas does not separate thousands
  bool takes_points() const { return rule_ != "comma"; }

 private:
  std::string rule_;
};

}  // namespace claros
