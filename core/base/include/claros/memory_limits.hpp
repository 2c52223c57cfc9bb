// SPDX-License-Identifier: BSD-3-Clause
/// @file memory_limits.hpp  The memory that work may ask for before it is refused, and the variables by which
/// a user allows more.
///
/// The limits stand in environment variables because they are the machine's and the user's, not the
/// problem's. Sizes are written 500000, 64MiB, 8GiB.
#pragma once

#include <claros/api.hpp>

#include <optional>
#include <string>

namespace claros {

/// Throws Error(usage) if CLAROS_MEMORY, CLAROS_LINE or CLAROS_EXPANSION is set to a text that is not a size.
CLAROS_API void check_asked_limits();
/// The size that a variable is set to; nothing if it is not set. Throws Error(usage) if it is not a size.
CLAROS_API std::optional<double> asked_limit(const char* variable);

/// Throws Error(data) at `where` if `bytes` exceed CLAROS_MEMORY or, if that is not set, what this process
/// can still get (memory_left). `what` says what needs them ("the design of 3 x 4"), and `remedy` what to do
/// about it.
CLAROS_API void expect_memory(double bytes, const std::string& where, const std::string& what,
                              const std::string& remedy);

/// True if `bytes` are no more than that.
CLAROS_API bool fits_memory(double bytes);
/// CLAROS_MEMORY, or what this process can still get if it is not set.
CLAROS_API double memory_allowed();

/// The bytes that this process can still get. This is the least of the machine's available memory with its
/// swap, the limit of the control group, and the limit of the address space.
CLAROS_API double memory_left();
/// "3.1 GiB are in use by this process and 2 GiB are left": after memory ran out.
CLAROS_API std::string memory_state();

/// "1.5 GiB"
CLAROS_API std::string size_text(double bytes);

}  // namespace claros
