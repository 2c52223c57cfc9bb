// SPDX-License-Identifier: BSD-3-Clause
/// @file path_table.hpp  A path as a person reads it.
#pragma once

#include <claros/paths/path_record.hpp>

#include <string>

namespace claros::cli {

/// One row for each lambda, and below it the choice.
std::string path_table(const PathRecord& record);

}  // namespace claros::cli
