// SPDX-License-Identifier: BSD-3-Clause
/// @file holes.hpp  Readers of numbers that may keep missing entries, as NaN.
#pragma once

#include <claros/io/csv.hpp>
#include <claros/io/design_io.hpp>

#include "io/numpy_array.hpp"

namespace claros {

enum class Holes { refuse, keep };

/// read_table. `columns`: how the fields of read_matrix become numbers; null: plain numbers in every column.
NamedTable table_of_text(const std::filesystem::path& path, const TableOptions& options, Holes holes,
                         const Context& context, const DesignOptions* columns = nullptr);
/// The table of a .npy or .npz file.
DenseTable table_of(NumpyArray array, Holes holes);
/// read_numbers, with the names of a text table.
NamedTable numbers_of(const std::filesystem::path& path, Holes holes, const Context& context,
                      const DesignOptions* columns = nullptr);

}  // namespace claros
