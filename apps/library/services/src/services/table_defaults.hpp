// SPDX-License-Identifier: BSD-3-Clause
/// @file table_defaults.hpp  The meaning of `auto` for the intercept and the units of a linear model.
#pragma once

#include <claros/compose/plan.hpp>

#include <vector>

namespace claros {

/// A table gets intercept = true. It is a text table with a header, or dense rows in memory whose columns
/// have names. It gets standardize = true if the penalty depends on the units of single columns, as in
/// glmnet. Other data is arrays, which a program has prepared. A set is stated in the units of the table:
/// with one, both stay out. They also stay out if an option is stated for the rows as they are, such as a
/// shape or unit_rows.
std::vector<Setting> table_defaults(const std::vector<Node>& parts, const Context& context);

}  // namespace claros
