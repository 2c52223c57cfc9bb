// SPDX-License-Identifier: BSD-3-Clause
/// @file truth.hpp  The point that is to be found, from a file.
#pragma once

#include <claros/element.hpp>

#include <filesystem>

namespace claros {

/// Reads a table (csv.hpp) or a Matrix Market array. Throws Error(data) when it is not of that shape.
Element read_truth(const std::filesystem::path& file, const Shape& shape);

}  // namespace claros
