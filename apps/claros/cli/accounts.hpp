// SPDX-License-Identifier: BSD-3-Clause
/// @file accounts.hpp  The wall time of the program, all of which is in the table of seconds.
#pragma once

namespace claros::cli {

/// To be called first: what the loader took before main counts from here on, as far as the system says (to
/// 10 ms).
void start_of_program();
/// Since the process was started.
double seconds_of_program();

}  // namespace claros::cli
