// SPDX-License-Identifier: BSD-3-Clause
/// @file memory_names.hpp  Files in memory in messages.
#pragma once

#include <string>

namespace claros {

/// The text with the names of files in memory (memory_file.hpp) as what they hold: "the array given for X".
std::string with_memory_names(std::string text);

}  // namespace claros
