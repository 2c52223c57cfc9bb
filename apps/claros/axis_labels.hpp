// SPDX-License-Identifier: BSD-3-Clause
/// @file axis_labels.hpp  What the columns of a trace are, in words.
#pragma once

#include "candidates.hpp"

#include <string>

namespace claros::cli {

/// The columns of a trace, in its order.
const Candidates& column_candidates();

/// With its unit; the name itself of a column that is not known.
std::string axis_label(const std::string& column);

}  // namespace claros::cli
