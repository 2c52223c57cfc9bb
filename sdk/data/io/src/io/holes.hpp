// SPDX-License-Identifier: BSD-3-Clause
/// @file holes.hpp  Readers of numbers that may keep missing entries, as NaN.
#pragma once

#include <claros/io/csv.hpp>

#include "io/numpy_array.hpp"

namespace claros {

enum class Holes { refuse, keep };

/// read_table.
NamedTable table_of_text(const std::filesystem::path& path, const TableOptions& options, Holes holes,
                         const Context& context);
/// The table of a .npy or .npz file.
DenseTable table_of(NumpyArray array, Holes holes);
/// read_numbers, with the names of a text table.
NamedTable numbers_of(const std::filesystem::path& path, Holes holes, const Context& context);

}  // namespace claros
