// SPDX-License-Identifier: BSD-3-Clause
/// @file table_plan.hpp  How the rows of a table become numbers, before they are read.
#pragma once

#include "io/table_roles.hpp"
#include "io/written_number.hpp"

#include <claros/io/table_encoding.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace claros::design_formats {

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

/// All features are numbers, and none is missing.
TablePlan plain_plan(TableRoles roles, const FieldReader& reader, Index rows);
/// Reads the table once. Throws Error(data) if no plan fits, and notes the treatment of columns.
TablePlan surveyed_plan(const Path& path, TableRoles roles, const DesignOptions& options,
                        const Context& context);
/// That of the training, for rows to predict. Throws Error(data) for columns that do not fit.
TablePlan trained_plan(const Path& path, const DesignOptions& options, const FieldReader& reader, Index rows,
                       const Context& context);

}  // namespace claros::design_formats
