// SPDX-License-Identifier: BSD-3-Clause
/// @file sparse_list.hpp  Sparse measurement matrices from a list of their entries.
#pragma once

#include "reading.hpp"

namespace matrix_sensing {

/// Reads lines i, row, column, value, in any order, counted from options.first_index. The responses, one a
/// measurement, are in the file options.design.response. A measurement without an entry is 0. Throws
/// Error(usage) without a response; Error(data) for an index that is not a whole number or is outside, and
/// for a position that a measurement has twice.
claros::Measurements read_sparse_list(const Options& options, const claros::Context& context);

}  // namespace matrix_sensing
