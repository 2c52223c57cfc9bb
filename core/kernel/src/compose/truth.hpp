// SPDX-License-Identifier: BSD-3-Clause
/// @file truth.hpp  The point that is to be found, from a file.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>

#include <filesystem>

namespace claros {

/// Reads what read_numbers (design_io.hpp) does. Throws Error(data) when it is not of that shape.
Element read_truth(const std::filesystem::path& file, const Shape& shape, const Context& context);

}  // namespace claros
