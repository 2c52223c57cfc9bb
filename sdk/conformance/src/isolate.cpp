// SPDX-License-Identifier: BSD-3-Clause
#include "isolate.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace claros::doctor {

namespace {

using Clock = std::chrono::steady_clock;

const std::string kCrashMistake =
    "a plugin never ends the process: look for indices out of range, uninitialised pointers, unbounded "
    "recursion, "
    "exceptions out of noexcept functions and destructors, or calls of exit and abort; --only with a "
    "debugger shows the line";

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
  for (;;) {
    const pid_t done = ::waitpid(child, &status, WNOHANG);
    if (done == child) return true;
    if (done < 0 && errno != EINTR) return true;
    if (Clock::now() >= deadline) return false;
    ::usleep(500);
  }
}

std::string trouble_of(int status) {
  if (WIFSIGNALED(status))
    return said("was ended by signal ", WTERMSIG(status), " (", ::strsignal(WTERMSIG(status)), ")");
  return said("ended the process with exit code ", WEXITSTATUS(status));
}

/// Fields of a result with a separator that no text holds.
constexpr char kSeparator = '\x1e';

std::string packed(const Result& r) {
  const char outcome = static_cast<char>('0' + static_cast<int>(r.outcome));
  return std::string(1, outcome) + r.observed + kSeparator + r.where + kSeparator + r.mistake + kSeparator;
}

bool unpack(const std::string& bytes, Result& r) {
  if (bytes.empty() || bytes.back() != kSeparator) return false;
  r.outcome = static_cast<Outcome>(bytes.front() - '0');
  std::istringstream in(bytes.substr(1));
  std::getline(in, r.observed, kSeparator);
  std::getline(in, r.where, kSeparator);
  std::getline(in, r.mistake, kSeparator);
  return true;
}

Result blank(const Test& test) {
  Result result;
  result.test = test.info.name;
  result.definition = test.info.definition;
  return result;
}

void become(Result& result, Outcome outcome, std::string observed, std::string where, std::string mistake) {
  result.outcome = outcome;
  result.observed = std::move(observed);
  result.where = std::move(where);
  result.mistake = std::move(mistake);
}

}  // namespace

Result run_here(const Test& test, const Subject& subject, const std::function<void(const std::string&)>& at) {
  Result result = blank(test);
  Bench bench(subject, test.info.name, at);
  try {
    test.run(bench);
  } catch (const Failed& f) {
    become(result, Outcome::failed, f.observed, f.where, f.mistake);
  } catch (const Skipped& s) {
    become(result, Outcome::skipped, s.reason, {}, {});
  } catch (const std::exception& error) {
    become(result, Outcome::failed, said("threw: ", error.what()), bench.place(),
           "settings and points of this test are within what the interface allows; --set gives the component "
           "others");
  } catch (...) {
    become(result, Outcome::failed, "threw something that is no std::exception", bench.place(),
           "report trouble as claros::Error");
  }
  return result;
}

ChildEnd in_child(const std::function<std::string()>& work, double limit) {
  int ends[2];
  if (::pipe(ends) != 0) throw Error(ErrorKind::data, "doctor", said("no pipe: ", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0) throw Error(ErrorKind::data, "doctor", said("no child process: ", std::strerror(errno)));
  if (child == 0) {
    ::close(ends[0]);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT})
      ::signal(number, SIG_DFL);
    write_all(ends[1], work());
    ::_exit(0);
  }
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
    end.trouble = said("did not end within ", limit, " s");
    return end;
  }
  end.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!end.finished) end.trouble = trouble_of(status);
  return end;
}

namespace {

/// Memory that a child shares, where it leaves what it is about to try: its last words.
class LastPlace {
 public:
  LastPlace() : page_(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (page_ == MAP_FAILED) page_ = nullptr;
  }
  ~LastPlace() {
    if (page_) ::munmap(page_, kSize);
  }
  LastPlace(const LastPlace&) = delete;
  LastPlace& operator=(const LastPlace&) = delete;
  void write(const std::string& place) {
    if (page_) std::strncpy(static_cast<char*>(page_), place.c_str(), kSize - 1);
  }
  std::string read() const { return page_ ? static_cast<const char*>(page_) : ""; }

 private:
  static constexpr std::size_t kSize = 4096;
  void* page_;
};

}  // namespace

std::string loading_trouble(const std::filesystem::path& library) {
  const auto load = [&] {
    Catalog catalog;
    try {
      (void)catalog.load(library);
    } catch (const Error&) {
      return std::string();  // said again by whoever loads it
    }
    return std::string();
  };
  return in_child(load, 30.0).trouble;
}

Result run_isolated(const Test& test, const Subject& subject, double limit) {
  LastPlace place;
  const auto work = [&] {
    ::dup2(2, 1);  // what a plugin prints does not mix with the report
    return packed(run_here(test, subject, [&](const std::string& text) { place.write(text); }));
  };
  const ChildEnd end = in_child(work, limit);
  Result result = blank(test);
  if (end.finished && unpack(end.bytes, result)) return result;
  const std::string trouble =
      end.finished ? "ended the process with exit code 0 before the test was over" : end.trouble;
  const std::string& crash = test.crash.empty() ? kCrashMistake : test.crash;
  const bool hung = end.trouble.starts_with("did not end");
  become(
      result, Outcome::failed, trouble, place.read(),
      hung ? "an endless loop, or work that grows without bound; --limit gives slow tests more time" : crash);
  return result;
}

}  // namespace claros::doctor
