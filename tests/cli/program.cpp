// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <claros/results/run_identity.hpp>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace claros::test {

namespace {

void redirect(const fs::path& file, int flags, int descriptor) {
  const int opened = ::open(file.c_str(), flags, 0600);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(126);
  ::close(opened);
}

/// In the child: what a user's shell would set up, then the program.
[[noreturn]] void become_program(const Launch& launch, const TestFolder& captured) {
  for (const char* name : {"CLAROS_PLUGIN_PATH", "NO_COLOR", "OPENBLAS_NUM_THREADS"}) ::unsetenv(name);
  ::setenv("XDG_DATA_HOME", "/nonexistent", 1);
  ::setenv("TERM", "xterm", 1);
  for (const std::string& variable : launch.environment) ::putenv(const_cast<char*>(variable.c_str()));
  if (!launch.folder.empty() && ::chdir(launch.folder.c_str()) != 0) ::_exit(126);
  if (!launch.terminal) {
    redirect(launch.in, O_RDONLY, STDIN_FILENO);
    redirect(launch.out.empty() ? captured / "out" : launch.out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(launch.err.empty() ? captured / "err" : launch.err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  }
  if (launch.largest_file) {
    const rlimit limit{launch.largest_file, launch.largest_file};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
  }
  for (const int number : launch.ignored) ::signal(number, SIG_IGN);
  for (const int descriptor : launch.closed) ::close(descriptor);
  const rlimit space{launch.address_space, launch.address_space};
  if (launch.address_space && ::setrlimit(RLIMIT_AS, &space) != 0) ::_exit(126);
  std::vector<char*> words{const_cast<char*>("claros")};
  for (const std::string& word : launch.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(CLAROS_PROGRAM, words.data());
  ::_exit(127);
}

/// A terminal whose last user went away answers with EIO, which is its end.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace

Child::Child(const Launch& launch) {
  winsize size{};
  size.ws_row = 24, size.ws_col = 80;
  pid_ = launch.terminal ? ::forkpty(&terminal_, nullptr, nullptr, &size) : ::fork();
  if (pid_ == 0) become_program(launch, captured_);
  REQUIRE(pid_ > 0);
}

Child::~Child() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (terminal_ >= 0) ::close(terminal_);
}

void Child::signal(int number) const { REQUIRE(::kill(pid_, number) == 0); }

bool Child::shows(const std::string& text) {
  std::array<char, 4096> buffer;
  return becomes_true([&] {
    pollfd ready{terminal_, POLLIN, 0};
    if (::poll(&ready, 1, 0) > 0)
      if (const ssize_t got = ::read(terminal_, buffer.data(), buffer.size()); got > 0)
        shown_.append(buffer.data(), static_cast<std::size_t>(got));
    return shown_.find(text) != shown_.npos;
  });
}

double Child::processor_seconds() const {
  clockid_t clock{};
  timespec taken{};
  REQUIRE(::clock_getcpuclockid(pid_, &clock) == 0);
  REQUIRE(::clock_gettime(clock, &taken) == 0);
  return static_cast<double>(taken.tv_sec) + 1e-9 * static_cast<double>(taken.tv_nsec);
}

Outcome Child::wait() {
  Outcome outcome;
  if (terminal_ >= 0) outcome.out = shown_ + read_all(terminal_);
  int status = 0;
  REQUIRE(::waitpid(pid_, &status, 0) == pid_);
  pid_ = -1;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (terminal_ < 0) outcome.out = captured_.get("out"), outcome.err = captured_.get("err");
  return outcome;
}

bool becomes_true(const std::function<bool()>& condition, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

void wait_for(const fs::path& file) {
  REQUIRE_MESSAGE(becomes_true([&] { return fs::exists(file); }), file.string());
}

void wait_for_next(const fs::path& file) {
  const auto written = [&] {
    std::error_code code;
    return fs::last_write_time(file, code);
  };
  const auto before = written();
  REQUIRE_MESSAGE(becomes_true([&] { return fs::exists(file) && written() != before; }), file.string());
}

Outcome launch(const Launch& launch) { return Child(launch).wait(); }

Outcome ask(const fs::path& folder, const Words& words) {
  Launch l;
  l.words = words;
  l.folder = folder;
  return launch(l);
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words lines(const std::string& text) {
  std::istringstream in(text);
  Words result;
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

void reseal(const fs::path& folder) {
  const auto file = folder / "result.json";
  std::ifstream in(file);
  auto json = nlohmann::ordered_json::parse(in);
  json["files"] = RunIdentity::of_files(json["run"], folder).files;
  std::ofstream(file) << json.dump(2);
}

fs::path put_problem(const TestFolder& folder, const std::string& name) {
  std::string ratings;
  for (int i = 1; i <= 6; ++i)
    for (int j = 1; j <= 5; ++j)
      if ((i + j) % 5 != 0 || i == j)
        ratings += std::to_string(i) + '\t' + std::to_string(j) + '\t' + std::to_string(0.5 * i * j) + '\n';
  folder.put("ratings #1.txt", ratings);
  return folder.put(name,
                    "# A small problem.\n[objective]\nuse = matrix-completion\ndata = ratings #1.txt\n"
                    "[set]\nuse = nuclear-ball\nradius = 40\n[algorithm]\nuse = frank-wolfe\n"
                    "[stop]\niterations = 60\n");
}

}  // namespace claros::test
