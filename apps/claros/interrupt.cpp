// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include <claros/at_work.hpp>
#include <claros/error.hpp>

#include "report.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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

std::atomic<pid_t> busy = 0;  // the process that may not exit; 0: none

void on_exit_of_process() {
  if (busy != ::getpid()) return;
  const char* who = AtWork::now();
  const Error error(ErrorKind::plugin, who ? who : "a plugin", "ended the program in the midst of its work (it called exit)",
                    "a component reports errors as claros::Error: tell its author");
  report(error);
  ::_exit(exit_code(error.kind()));
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

NoExit::NoExit() {
  static const bool registered = std::atexit(on_exit_of_process) == 0 && std::at_quick_exit(on_exit_of_process) == 0;
  if (registered) busy = ::getpid();
}

NoExit::~NoExit() { busy = 0; }

}  // namespace claros::cli
