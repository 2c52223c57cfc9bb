// SPDX-License-Identifier: BSD-3-Clause
/// @file design_memory.hpp  Whether a design that is to be made fits.
#pragma once

#include <claros/api.hpp>

#include <string>

namespace claros {

/// Throws Error(data) at `where`, with `remedy`, when a dense design of rows x cols takes more than this process can still get
/// (or than CLAROS_MEMORY says).
CLAROS_API void require_memory(Index rows, Index cols, bool single, const std::string& where, const std::string& remedy);

}  // namespace claros
