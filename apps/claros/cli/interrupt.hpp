// SPDX-License-Identifier: BSD-3-Clause
/// @file interrupt.hpp  Ctrl-C, SIGTERM, a closed terminal and a used-up limit of processor time end a run at
/// its next step; a component that calls exit is never a success.
#pragma once

#include <atomic>

namespace claros::cli {

/// Installs handlers of SIGINT, SIGTERM, SIGXCPU, and SIGHUP where it is not ignored (nohup); of the first
/// also where a shell started the program in the background with SIGINT ignored: `kill -INT` is how such a
/// run is ended early. The first signal sets the flag that is returned. A second SIGINT or SIGTERM ends the
/// program at once with exit code 130, or is heard.
const std::atomic<bool>& catch_interrupts();

/// Set by a second SIGINT or SIGTERM that is heard; a third one ends the program at once.
const std::atomic<bool>& second_interrupt() noexcept;

/// While it lives, a watchdog ends the run after a second interrupt, with what the run has.
class HearsSecondInterrupt {
 public:
  HearsSecondInterrupt() noexcept;
  ~HearsSecondInterrupt();
  HearsSecondInterrupt(const HearsSecondInterrupt&) = delete;
  HearsSecondInterrupt& operator=(const HearsSecondInterrupt&) = delete;
};

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
