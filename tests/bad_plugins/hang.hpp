// SPDX-License-Identifier: BSD-3-Clause
/// @file hang.hpp  Calls that never return.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
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

/// Returns when the file is there that HANGING_PLUGIN_UNTIL names; never where that is not set.
inline void hang_until_told() {
  const char* file = std::getenv("HANGING_PLUGIN_UNTIL");
  if (!file) hang();
  say_that_it_hangs();
  while (!std::filesystem::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
