// SPDX-License-Identifier: BSD-3-Clause
#include "surroundings.hpp"

#include <claros/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <clocale>
#include <cstring>
#include <utility>
#include <vector>

namespace claros {

namespace {

std::string enumerated(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

bool same(const struct sigaction& a, const struct sigaction& b) {
  const bool plain = !((a.sa_flags | b.sa_flags) & SA_SIGINFO);
  return (a.sa_flags & SA_SIGINFO) == (b.sa_flags & SA_SIGINFO) &&
         (plain ? a.sa_handler == b.sa_handler : a.sa_sigaction == b.sa_sigaction);
}

/// The state found by the innermost SharedSurroundings of this thread; else null.
const Surroundings*& shared() noexcept {
  thread_local const Surroundings* found = nullptr;
  return found;
}

int open_folder() { return ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC); }

}  // namespace

Surroundings::Surroundings()
    : mode_(FloatingPointMode::now()), folder_(shared() ? shared()->folder_ : open_folder()) {
  if (const Surroundings* known = shared()) {
    owns_folder_ = false;
    place_ = known->place_;
    names_ = known->names_;
    locale_ = known->locale_;
    actions_ = known->actions_;
    blocked_ = known->blocked_;
    return;
  }
  if (folder_ >= 0) ::fstat(folder_, &place_);
  if (const char* names = std::setlocale(LC_ALL, nullptr)) names_ = names;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], nullptr, &actions_[i]);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked_);
}

Surroundings::~Surroundings() {
  if (!restored_) (void)restore();
  if (owns_folder_ && folder_ >= 0) ::close(folder_);
}

/// Each call has restored its own changes by then.
SharedSurroundings::~SharedSurroundings() {
  shared() = outer_;
  found_.restored_ = true;
}

SharedSurroundings::SharedSurroundings() : outer_(std::exchange(shared(), &found_)) {}

std::string Surroundings::restore() {
  restored_ = true;
  std::vector<std::string> changed;
  if (const std::string mode = mode_.put_back(); !mode.empty()) changed.push_back(mode);
  struct stat place {};
  if (folder_ >= 0 &&
      (::stat(".", &place) != 0 || place.st_dev != place_.st_dev || place.st_ino != place_.st_ino) &&
      ::fchdir(folder_) == 0)
    changed.emplace_back("the working directory");
  // The C++ locale first: making a named one global sets C's as well.
  const bool global = std::locale() != locale_;
  if (global) std::locale::global(locale_);
  const char* names = std::setlocale(LC_ALL, nullptr);
  const bool c = names && names_ != names;
  if (c) std::setlocale(LC_ALL, names_.c_str());
  if (global || c) changed.emplace_back("the locale");
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    if (::sigaction(kSignals[i], nullptr, &action) != 0 || same(action, actions_[i])) continue;
    ::sigaction(kSignals[i], &actions_[i], nullptr);
    changed.push_back(std::string("the handler of SIG") + ::sigabbrev_np(kSignals[i]));
  }
  sigset_t blocked{};
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  bool masks_differ = false;
  for (const int number : kSignals)
    masks_differ |= ::sigismember(&blocked, number) != ::sigismember(&blocked_, number);
  if (masks_differ) {
    ::pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
    changed.emplace_back("the mask of signals");
  }
  return enumerated(changed);
}

}  // namespace claros
