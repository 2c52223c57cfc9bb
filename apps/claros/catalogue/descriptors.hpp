// SPDX-License-Identifier: BSD-3-Clause
/// @file descriptors.hpp  The three standard descriptors, as a shell may have left them.
#pragma once

namespace claros::cli {

/// Puts /dev/null where the standard input, output or error is closed, opened so that reading the first and
/// writing the others fails, as it does on a closed one. Else the next file that is opened would have its
/// number, and what is written to "standard output" would go into it.
void occupy_closed_descriptors();

/// Writing to a reader that went away, or beyond the limit on the size of files (`ulimit -f`), is an error of
/// the call and does not end the process.
void outlive_failed_writes();

}  // namespace claros::cli
