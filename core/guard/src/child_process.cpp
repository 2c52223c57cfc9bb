// SPDX-License-Identifier: BSD-3-Clause
#include <claros/child_process.hpp>

#include <claros/error.hpp>
#include <claros/settings.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace claros {

namespace {

using Clock = std::chrono::steady_clock;

/// Follows the answer, so that one that was cut, or left by who ended the process, is none.
constexpr char kWhole = '\x06';

void write_all(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

/// Reads until the other end closes; false when the time is up.
bool read_until_closed(int file, Clock::time_point deadline, std::string& bytes) {
  char chunk[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wait{file, POLLIN, 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(std::min<long>(left, 1000)));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    const ssize_t n = ::read(file, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EINTR)) return true;
    if (n > 0) bytes.append(chunk, static_cast<std::size_t>(n));
  }
}

/// Waits for the end of a child that should be about to end.
bool reaped(pid_t child, Clock::time_point deadline, int& status) {
  for (int wait = 20;; wait = std::min(2 * wait, 500)) {
    const pid_t done = ::waitpid(child, &status, WNOHANG);
    if (done == child) return true;
    if (done < 0 && errno != EINTR) return true;
    if (Clock::now() >= deadline) return false;
    ::usleep(static_cast<useconds_t>(wait));
  }
}

std::string trouble_of(int status) {
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) +
           ')';
  return "ended the process with exit code " + std::to_string(WEXITSTATUS(status));
}

[[noreturn]] void be_child(int end, const std::function<std::string()>& work, bool silent) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT})
    std::signal(number, SIG_DFL);
  if (silent)
    if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0)
      ::dup2(nowhere, STDERR_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  write_all(end, work() + kWhole);
  ::_exit(0);
}

}  // namespace

ChildEnd in_child(const std::function<std::string()>& work, double limit, bool silent) {
  int ends[2];
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::data, "a child process", std::string(what) + ": " + std::strerror(errno),
                "try again with less running");
  };
  if (::pipe2(ends, O_CLOEXEC) != 0) refuse("no pipe");
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]), ::close(ends[1]);
    refuse("cannot be started");
  }
  if (child == 0) be_child(ends[1], work, silent);
  ::close(ends[1]);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
  ChildEnd end;
  int status = 0;
  const bool in_time = read_until_closed(ends[0], deadline, end.bytes) && reaped(child, deadline, status);
  ::close(ends[0]);
  if (!in_time) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    end.trouble = "did not end within " + print_real(limit) + " s";
    return end;
  }
  end.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0 && end.bytes.ends_with(kWhole);
  if (end.finished)
    end.bytes.pop_back();
  else
    end.trouble = trouble_of(status);
  return end;
}

}  // namespace claros
