// SPDX-License-Identifier: BSD-3-Clause
/// @file table_encoding.hpp  The rule that makes the columns of a design from those of a table.
#pragma once

#include <claros/api.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace claros {

/// Made from the table of the training, kept with its solution, and applied to rows to predict. A column of
/// numbers is a column of the design, and perhaps another one, 1 if its number is missing and 0 elsewhere.
/// A column of categories is one column a level, 1 if the field is that level and 0 elsewhere. With
/// `reference` the first level has none.
struct TableEncoding {
  struct Column {
    std::string name;                      ///< in the table; empty if that has no header
    Index place = 0;                       ///< in the table, from 0
    std::vector<std::string> levels = {};  ///< of categories, in alphabetical order; empty: numbers
    /// In place of a missing number; NaN: none may be missing.
    double fill = std::numeric_limits<double>::quiet_NaN();
    std::string fill_level = {};  ///< in place of a missing category; empty: none may be missing
    bool indicator = false;       ///< true if a column tells where a number was missing
    bool date = false;            ///< true if its numbers are the days since 1970-01-01 of dates
    bool comma = false;           ///< true if commas were before decimals in the training
    /// The unit of its numbers: "%", "$", or empty if they have none. It is not set for categories, for dates
    /// and in records of Claros 0.2, which take any unit.
    std::optional<std::string> unit = {};
  };
  std::vector<Column> columns;
  std::vector<std::string> ignored;  ///< names of columns that are no part of the design
  Index width = 0;                   ///< how many columns the table has
  Index response = -1;               ///< the place of the response among them; -1: it is elsewhere
  bool reference = true;             ///< true if the first level of categories has no column

  /// How many columns of the design one of the table is.
  Index size(const Column& column) const {
    if (column.levels.empty()) return column.indicator ? 2 : 1;
    return static_cast<Index>(column.levels.size()) - (reference ? 1 : 0);
  }
  /// The columns of the design: "age", "age is missing", "colour = red". Without a header "c3" stands for the
  /// name of the third.
  CLAROS_API std::vector<std::string> names() const;
};

}  // namespace claros
