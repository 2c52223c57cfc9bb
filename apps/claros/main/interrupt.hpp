// SPDX-License-Identifier: BSD-3-Clause
/// @file interrupt.hpp  Ctrl-C, SIGTERM and a closed terminal end a run at its next step; a component that
/// calls exit is never a success.
#pragma once

#include <atomic>

namespace claros::cli {

/// Installs handlers of SIGINT, SIGTERM, and SIGHUP where it is not ignored (nohup); of the first also where
/// a shell started the program in the background with SIGINT ignored: `kill -INT` is how such a run is ended
/// early. The first signal sets the flag that is returned; the second ends the program at once with exit code
/// 130.
const std::atomic<bool>& catch_interrupts();

/// Names a mapped file (objective.memory = map) that was cut off under a run, and ends with exit code 4,
/// where the system would end the process with SIGBUS.
void catch_lost_pages();

/// During its lifetime, `exit` and `quick_exit` in this process (not in its children) end it with exit code 3
/// and the name of the calling component. `_exit` cannot be caught.
class NoExit {
 public:
  NoExit();
  ~NoExit();
  NoExit(const NoExit&) = delete;
  NoExit& operator=(const NoExit&) = delete;
};

}  // namespace claros::cli
