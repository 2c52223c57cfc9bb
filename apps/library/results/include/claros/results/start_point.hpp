// SPDX-License-Identifier: BSD-3-Clause
/// @file start_point.hpp  Points from files: where a run starts, and the true point that it is compared with.
#pragma once

#include <claros/api.hpp>
#include <claros/component.hpp>
#include <claros/context.hpp>
#include <claros/element/element.hpp>

#include <filesystem>
#include <string>

namespace claros {

/// The point that start.from names, in the units of the data. It is the solution in the folder of a run,
/// which must match its result, or a file of read_numbers (design_io.hpp). Files are resolved by the context,
/// so that a checkpoint names their contents. `shape` is that of the objective's variable. Throws Error(data)
/// if the shape is another, or the columns or classes of the folder are not those of the objective. Rows and
/// columns of ratings are found by their ids. Those that only the objective has are 0. One that only the
/// folder has is an Error(data).
CLAROS_API Element read_start(const std::string& from, Component& objective, const Shape& shape,
                              const Context& context);

/// Reads what read_numbers does. Throws Error(data) when it is not of that shape.
CLAROS_API Element read_truth(const std::filesystem::path& file, const Shape& shape, const Context& context);

}  // namespace claros
