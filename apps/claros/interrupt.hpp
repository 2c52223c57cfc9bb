// SPDX-License-Identifier: BSD-3-Clause
/// @file interrupt.hpp  Ctrl-C and SIGTERM end a run at its next step.
#pragma once

#include <atomic>

namespace claros::cli {

/// Installs handlers of SIGINT and SIGTERM, also where a shell started the program in the background with
/// SIGINT ignored: `kill -INT` is how such a run is ended early. The first signal sets the flag that is
/// returned; the second ends the program at once with exit code 130.
const std::atomic<bool>& catch_interrupts();

}  // namespace claros::cli
