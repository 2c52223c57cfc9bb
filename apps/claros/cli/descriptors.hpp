// SPDX-License-Identifier: BSD-3-Clause
/// @file descriptors.hpp  The three standard descriptors, as a shell may have left them.
#pragma once

namespace claros::cli {

/// Puts /dev/null in the place of a closed standard input, output or error. It is opened so that reading the
/// first and writing the others fails, as it does on a closed one. Otherwise the next file that is opened
/// would have its number, and text for "standard output" would go into it.
void occupy_closed_descriptors();

/// Makes a failed write an error of the call that does not end the process. A write fails if its reader went
/// away, or beyond the limit on the size of files (`ulimit -f`).
void outlive_failed_writes();

}  // namespace claros::cli
