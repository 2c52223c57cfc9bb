// SPDX-License-Identifier: BSD-3-Clause
#include "thread_times.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>

namespace claros {

namespace {

using std::chrono::nanoseconds;

/// What the file begins with.
std::string text_in(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::array<char, 256> text;
  const ssize_t got = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

std::string of_thread(pid_t thread, const char* file) {
  return "/proc/self/task/" + std::to_string(thread) + '/' + file;
}

/// The second of the three numbers: on a processor, waiting for one, times that it got one.
std::optional<nanoseconds> waited_in(const std::string& file) {
  const std::string text = text_in(file);
  const auto blank = text.find(' ');
  long long waited = 0;
  if (blank == text.npos ||
      std::from_chars(text.data() + blank + 1, text.data() + text.size(), waited).ec != std::errc{})
    return std::nullopt;
  return nanoseconds(waited);
}

nanoseconds clock_now(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

}  // namespace

/// The state follows the name of the thread, which may hold any character.
std::optional<bool> is_runnable(pid_t thread) noexcept {
  const std::string text = text_in(of_thread(thread, "stat"));
  const auto name_ends = text.rfind(')');
  if (name_ends == text.npos || name_ends + 2 >= text.size()) return std::nullopt;
  return text[name_ends + 2] == 'R';
}

nanoseconds load_of_this_thread() noexcept {
  if (const auto waited = waited_in("/proc/thread-self/schedstat")) return *waited;
  return (clock_now(CLOCK_MONOTONIC) - clock_now(CLOCK_THREAD_CPUTIME_ID)) / 8 * 7;
}

std::optional<nanoseconds> LoadOfProcess::since_last() {
  std::map<pid_t, nanoseconds> now;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", code)) {
    const std::string name = entry.path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (const auto waited = waited_in(of_thread(thread, "schedstat"))) now.emplace(thread, *waited);
  }
  if (now.empty()) return std::nullopt;
  nanoseconds longest{0};
  for (const auto& [thread, waited] : now)
    if (const auto before = waited_.find(thread); before != waited_.end())
      longest = std::max(longest, waited - before->second);
  waited_ = std::move(now);
  return longest;
}

}  // namespace claros
