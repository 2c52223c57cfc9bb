// SPDX-License-Identifier: BSD-3-Clause
#include "cli/accounts.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

namespace claros::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Field 22 of proc(5), in ticks after the machine was started; the name of the program before it may hold
/// blanks.
double seconds_before_main() {
  constexpr double kMost = 60.0;
  std::string line;
  std::ifstream file("/proc/self/stat");
  timespec now{};
  if (!std::getline(file, line) || line.rfind(')') == line.npos || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0)
    return 0.0;
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string field;
  for (int k = 3; k < 22; ++k) fields >> field;
  double ticks = 0.0;
  if (!(fields >> ticks)) return 0.0;
  const double started = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double before = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - started;
  return before < kMost ? std::max(0.0, before) : 0.0;
}

struct Start {
  Clock::time_point main = Clock::now();
  double before = seconds_before_main();
};

const Start& start() {
  static const Start start;
  return start;
}

}  // namespace

void start_of_program() { (void)start(); }

double seconds_of_program() {
  return start().before + std::chrono::duration<double>(Clock::now() - start().main).count();
}

}  // namespace claros::cli
