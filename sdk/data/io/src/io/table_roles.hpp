// SPDX-License-Identifier: BSD-3-Clause
/// @file table_roles.hpp  The columns of a table by their names, and the roles that they have in a design.
#pragma once

#include "io/design_formats.hpp"

#include <claros/io/fields.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claros::design_formats {

/// Missing, unless it is a category.
inline constexpr std::string_view kDash = "-";
/// True if a field stands for a missing value.
bool is_missing(std::string_view field) noexcept;

/// The whole field as a number; `automatic` tries the point first.
std::optional<double> number_of(std::string_view field, Decimal decimal);

/// Which columns of a table a design takes, and for what.
class TableRoles {
 public:
  enum class Role { ignored, feature, response, weight, offset, group, beside };

  TableRoles(const DesignOptions& options, const FieldReader& reader, const Context& context);

  std::vector<Role> of;           ///< one a column
  std::vector<bool> categorical;  ///< one a column: true if its fields are names, also those like numbers
  bool chosen = false;            ///< true if the user left some out, or gave some another role
  bool last_is_response = false;  ///< which was not asked for

  std::vector<std::size_t> beside;  ///< the places of the columns that DesignOptions::beside names

  std::optional<std::size_t> place(Role role) const;
  bool is_missing_at(std::size_t column, std::string_view field) const {
    return is_missing(field) && !(categorical[column] && field == kDash);
  }
  /// True if a column that is used has a missing value.
  bool is_missing_in(const std::vector<std::string_view>& fields) const;
  /// Leaves out the features that have no value in any row of the table, with a note.
  void leave_out_empty(const Path& path, const DesignOptions& options, const Context& context);

 private:
  void take_response(const DesignOptions& options, const FieldReader& reader, const Context& context);
  void take_categorical(const std::string& list, const FieldReader& reader);
  void take(std::size_t column, Role role, const std::string& key, const FieldReader& reader);
};

/// True if the first column has no name, as the one in which pandas and R write the numbers of rows.
bool numbers_rows(const std::vector<std::string>& names);

/// The name of a column of a table in messages: "column 3 (age)".
std::string column_name(const FieldReader& reader, std::size_t j);

/// The column of that name, or of that number from 1. Throws Error(usage) if several have the name.
std::optional<std::size_t> column_of(const std::string& word, const FieldReader& reader);

/// Like column_of, for a column that must be there. Throws Error(usage, key).
std::size_t column_named(const std::string& key, const std::string& word, const FieldReader& reader);

/// The columns of a list of names or numbers with commas between them, likewise.
std::vector<std::size_t> columns_of(const std::string& key, const std::string& list,
                                    const FieldReader& reader);

}  // namespace claros::design_formats
