// SPDX-License-Identifier: BSD-3-Clause
/// @file table_plan.hpp  The roles of a table's columns in a design, before its rows are read.
#pragma once

#include <claros/io/fields.hpp>
#include "io/design_formats.hpp"
#include "io/written_number.hpp"

#include <claros/io/table_encoding.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claros::design_formats {

/// True if a field stands for a missing value.
bool is_missing(std::string_view field) noexcept;

/// The whole field as a number; `automatic` tries the point first.
std::optional<double> number_of(std::string_view field, Decimal decimal);

/// Which columns of a table a design takes, and for what.
class TableRoles {
 public:
  enum class Role { ignored, feature, response, weight, offset, group };

  TableRoles(const DesignOptions& options, const FieldReader& reader, const Context& context);

  std::vector<Role> of;           ///< one a column
  bool chosen = false;            ///< true if the user left some out, or gave some another role
  bool last_is_response = false;  ///< which was not asked for

  std::optional<std::size_t> place(Role role) const;
  /// True if a column that is used has a missing value.
  bool is_missing_in(const std::vector<std::string_view>& fields) const;

 private:
  void take(std::size_t column, Role role, const std::string& key, const FieldReader& reader);
};

/// How the fields of a line become numbers.
struct TablePlan {
  TableRoles roles;
  std::shared_ptr<const TableEncoding> encoding;
  std::vector<std::size_t> place = {};  ///< the place of the encoding's columns in this table
  bool plain = false;                   ///< every feature is one number with a point, and known
  bool drops = false;                   ///< rows with a missing value are left out
  bool trained = false;                 ///< the encoding is that of another table
  NumberRule rule = {};
  Dates dates = Dates::refuse;
  Index rows = 0;
};

/// The name of a column of a table in messages: "column 3 (age)".
std::string column_name(const FieldReader& reader, std::size_t j);

/// The column of that name, or of that number from 1. Throws Error(usage, key).
std::size_t column_named(const std::string& key, const std::string& word, const FieldReader& reader);

/// The columns of a list of names or numbers with commas between them, likewise.
std::vector<std::size_t> columns_of(const std::string& key, const std::string& list,
                                    const FieldReader& reader);

/// All features are numbers, and none is missing.
TablePlan plain_plan(TableRoles roles, const FieldReader& reader, Index rows);
/// Reads the table once. Throws Error(data) if no plan fits, and notes the treatment of columns.
TablePlan surveyed_plan(const Path& path, TableRoles roles, const DesignOptions& options,
                        const Context& context);
/// That of the training, for rows to predict. Throws Error(data) for columns that do not fit.
TablePlan trained_plan(const Path& path, const DesignOptions& options, const FieldReader& reader, Index rows,
                       const Context& context);

}  // namespace claros::design_formats
