// SPDX-License-Identifier: BSD-3-Clause
/// @file comparison_table.hpp  A comparison as a person reads it.
#pragma once

#include <claros/grids/comparison.hpp>

#include <string>

namespace claros::cli {

/// One row for each cell: the varied values, status, value, gap, iterations, passes, sfo, lo, seconds. For
/// several runs a cell shows the median, and the quartiles behind it if they differ from it.
std::string comparison_table(const Comparison& comparison);

}  // namespace claros::cli
