// SPDX-License-Identifier: BSD-3-Clause
/// @file hang.hpp  Calls that never return.
#pragma once

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

/// Creates the file that HANGING_PLUGIN_FILE names, if set: a test waits for it.
inline void say_that_it_hangs() {
  if (const char* file = std::getenv("HANGING_PLUGIN_FILE")) std::ofstream(file).put('\n');
}

/// Never returns, asleep.
[[noreturn]] inline void hang() {
  say_that_it_hangs();
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}
