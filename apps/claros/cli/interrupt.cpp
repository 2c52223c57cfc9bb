// SPDX-License-Identifier: BSD-3-Clause
#include "cli/interrupt.hpp"

#include <claros/contain.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/world.hpp>

#include "cli/messages.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace claros::cli {

namespace {

std::atomic<bool> interrupted = false, insisted = false, heard = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

/// A closed terminal sends SIGHUP twice, by the system and by its shell, and a limit of processor time sends
/// SIGXCPU every second: these never end the process at once.
extern "C" void on_signal(int number) {
  if (interrupted.exchange(true)) {
    if (number == SIGHUP || number == SIGXCPU) return;
    if (!heard || insisted.exchange(true)) ::_exit(kInterrupted);
    return;
  }
  constexpr std::string_view note =
      "\nclaros: the run ends after this step; interrupt again to end at once (claros help ctrl-c)\n";
  const int saved = errno;
  if (::isatty(STDERR_FILENO) == 1 && ::write(STDERR_FILENO, note.data(), note.size()) < 0) errno = saved;
  errno = saved;
}

const int of_data = exit_code(ErrorKind::data);

/// A page of a mapped file that is no longer there cannot be read, whichever code reads it: the process
/// cannot go on.
extern "C" void on_lost_page(int number, siginfo_t* about, void*) {
  const char* path = mapped_file_at(about->si_addr);
  if (!path) return (void)::signal(number, SIG_DFL);  // comes again, and ends the process as it would have
  for (const std::string_view text :
       {std::string_view("\nclaros: "), std::string_view(path),
        std::string_view(
            ": was truncated, or can no longer be read, while this run reads it in place (memory-mapped); "
            "the last checkpoint is kept\n  remedy: write the file again, or set objective.memory = read\n")})
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) break;
  ::_exit(of_data);
}

std::atomic<pid_t> busy = 0;  // the process that may not exit; 0: none
std::atomic<bool> ending = false;

void on_exit_of_process() {
  if (busy != ::getpid()) return;
  // Two jobs may call at once; the first of them speaks, and ends the process with the other in here.
  if (ending.exchange(true))
    for (;;) ::pause();
  const char* who = AtWork::now();
  const Error error(ErrorKind::plugin, who ? who : "a plugin", "called exit() during a run",
                    "report this to the author of the component: errors are thrown as claros::Error");
  report(error);
  ::_exit(exit_code(error.kind()));
}

/// The function of this name in libc, which this program's own function hides.
[[noreturn]] void end_as_libc(const char* name, int code) {
  if (void* const symbol = ::dlsym(RTLD_NEXT, name)) reinterpret_cast<void (*)(int)>(symbol)(code);
  ::_exit(code);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGXCPU, &action, nullptr);
  // Launchers pass it on to all ranks, and batch systems send it before the time of a job is over.
  if (World::here().size() > 1) ::sigaction(SIGUSR1, &action, nullptr);
  struct sigaction before {};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    ::sigaction(SIGHUP, &action, nullptr);
  return interrupted;
}

const std::atomic<bool>& second_interrupt() noexcept { return insisted; }

HearsSecondInterrupt::HearsSecondInterrupt() noexcept { heard = true; }
HearsSecondInterrupt::~HearsSecondInterrupt() { heard = false; }

void catch_lost_pages() {
  struct sigaction action {};
  action.sa_sigaction = on_lost_page;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

// Handlers of atexit alone would come too late: those of the plugins, which were loaded after, run before
// them. They destroy objects that other threads still use.
NoExit::NoExit() {
  static const bool registered =
      std::atexit(on_exit_of_process) == 0 && std::at_quick_exit(on_exit_of_process) == 0;
  if (registered) busy = ::getpid();
}

NoExit::~NoExit() { busy = 0; }

}  // namespace claros::cli

extern "C" {

[[gnu::visibility("default")]] void exit(int code) noexcept {
  claros::cli::on_exit_of_process();
  claros::cli::end_as_libc("exit", code);
}

[[gnu::visibility("default")]] void quick_exit(int code) noexcept {
  claros::cli::on_exit_of_process();
  claros::cli::end_as_libc("quick_exit", code);
}
}
