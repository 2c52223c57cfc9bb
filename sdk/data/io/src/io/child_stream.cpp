// SPDX-License-Identifier: BSD-3-Clause
#include "io/child_stream.hpp"

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace claros {
namespace {

constexpr std::size_t kMostErrors = 2000;
constexpr int kPipe = 1 << 20;

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw Error(ErrorKind::plugin, "pipe", std::system_category().message(errno),
                  "are too many files open?");
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int take_reading_end() { return std::exchange(ends[0], -1); }
};

/// "NAME=value" of this process, without those that are hidden.
std::vector<char*> environment_of(const ChildStream::Start& start) {
  std::vector<char*> kept;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    const bool hidden = name.starts_with(start.hidden_prefix) &&
                        std::find(start.passed.begin(), start.passed.end(), name) == start.passed.end();
    if (!hidden) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

/// The signals as a fresh program expects them, whatever this process and this thread do with theirs.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&value);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&value, &none);
    ::posix_spawnattr_setsigdefault(&value, &all);
    ::posix_spawnattr_setpgroup(&value, 0);
    ::posix_spawnattr_setflags(&value,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    ::posix_spawn_file_actions_init(&actions);
  }
  ~Attributes() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&value);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t value;
  posix_spawn_file_actions_t actions;
};

}  // namespace

ChildStream::ChildStream(const Start& start, std::string subject)
    : subject_(std::move(subject)), patience_(start.patience) {
  Pipe out, err;
  ::fcntl(out.ends[0], F_SETPIPE_SZ, kPipe);  // fewer switches between the two; it may be refused
  Attributes attributes;
  ::posix_spawn_file_actions_addopen(&attributes.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&attributes.actions, out.ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&attributes.actions, err.ends[1], STDERR_FILENO);
  std::vector<std::string> words{start.program.string()};
  words.insert(words.end(), start.words.begin(), start.words.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> environment = environment_of(start);
  const int failure = ::posix_spawn(&child_, words[0].c_str(), &attributes.actions, &attributes.value,
                                    argv.data(), environment.data());
  if (failure != 0) {
    child_ = -1;
    throw Error(ErrorKind::plugin, start.program.string(),
                "cannot be started: " + std::system_category().message(failure),
                "install claros again; it reads " + subject_);
  }
  out_ = out.take_reading_end();
  err_ = err.take_reading_end();
  ::fcntl(err_, F_SETFL, O_NONBLOCK);
}

ChildStream::~ChildStream() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    reap();
  }
  for (const int file : {out_, err_})
    if (file >= 0) ::close(file);
}

/// The status of the child, which is gone then; -1 if another waiter took it (a program that ignores
/// SIGCHLD).
int ChildStream::reap() {
  int status = 0;
  pid_t done = 0;
  do done = ::waitpid(child_, &status, 0);
  while (done < 0 && errno == EINTR);
  child_ = -1;
  return done < 0 ? -1 : status;
}

void ChildStream::read(void* to, std::size_t size) {
  for (char* at = static_cast<char*>(to); size > 0;) {
    const std::size_t now = take_some(at, size);
    if (now == 0) fail_ended();
    at += now;
    size -= now;
  }
}

/// At least one byte, or 0 at the end of the stream.
std::size_t ChildStream::take_some(char* to, std::size_t size) {
  while (true) {
    pollfd files[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    const int ready = ::poll(files, 2, static_cast<int>(std::min(patience_ * 1000, 2e9)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) fail_hanging();
    if (files[1].revents) take_errors();
    if (!files[0].revents) continue;
    const ssize_t got = ::read(out_, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR)
      throw Error(ErrorKind::data, subject_, "reading failed: " + std::system_category().message(errno));
  }
}

/// Keeps the last part of the program's error output, and returns true if there was any. At the end of that
/// stream it is not asked for again.
bool ChildStream::take_errors() {
  char some[1024];
  const ssize_t got = ::read(err_, some, sizeof some);
  if (got > 0) {
    errors_.append(some, static_cast<std::size_t>(got));
    if (errors_.size() > kMostErrors) errors_.erase(0, errors_.size() - kMostErrors);
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    ::close(std::exchange(err_, -1));
  }
  return got > 0;
}

std::string ChildStream::last_words() const {
  std::string text = errors_;
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? text : "; it said: " + text;
}

void ChildStream::fail_hanging() {
  throw Error(ErrorKind::data, subject_,
              "reading it hangs: nothing came for " + print_real(patience_) + " seconds" + last_words(),
              "is the file damaged? On slow storage, raise objective.patience");
}

void ChildStream::fail_ended() {
  const int status = reap();
  while (err_ >= 0 && take_errors()) continue;
  const std::string how = status < 0 ? "ended"
                          : WIFSIGNALED(status)
                              ? std::string("crashed (") + ::strsignal(WTERMSIG(status)) + ")"
                              : "ended with " + std::to_string(WEXITSTATUS(status));
  throw Error(ErrorKind::data, subject_,
              "cannot be read: the program that reads it " + how + " before it was through" + last_words(),
              "is the file damaged? Fetch or make it again");
}

}  // namespace claros
