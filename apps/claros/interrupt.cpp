// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include "report.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace claros::cli {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void on_signal(int) {
  if (interrupted.exchange(true)) ::_exit(kInterrupted);
  constexpr std::string_view note = "\nclaros: ending at the next step; once more ends at once\n";
  const int saved = errno;
  if (::isatty(STDERR_FILENO) == 1 && ::write(STDERR_FILENO, note.data(), note.size()) < 0) errno = saved;
  errno = saved;
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

}  // namespace claros::cli
