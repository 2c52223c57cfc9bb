// SPDX-License-Identifier: BSD-3-Clause
/// @file axis_labels.hpp  What the columns of a trace are, in words.
#pragma once

#include <string>

namespace claros::cli {

/// With its unit; the name itself of a column that is not known.
std::string axis_label(const std::string& column);

}  // namespace claros::cli
