// SPDX-License-Identifier: BSD-3-Clause
/// @file surroundings.hpp  What a component must leave as it found it, because others compute and read by it.
#pragma once

#include <claros/contain.hpp>

#include <sys/stat.h>

#include <array>
#include <csignal>
#include <locale>
#include <string>

namespace claros {

/// The floating-point modes of this thread, and of the process the working directory, the locale, and what
/// the signals do that Claros relies on. Costs some microseconds: for calls that are made once a run.
class Surroundings {
 public:
  Surroundings();
  ~Surroundings();  ///< restores, if `restore` was not called
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  /// Puts back what is no longer as it was when this was made, and says what that is: "the working directory
  /// and the rounding mode". Empty if nothing changed.
  std::string restore();

 private:
  friend class SharedSurroundings;

  static constexpr std::array<int, 7> kSignals{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXCPU, SIGXFSZ};

  FloatingPointMode mode_;
  int folder_;  ///< the working directory, open
  bool owns_folder_ = true;
  struct stat place_ {};
  std::string names_;  ///< the names of the C locale
  std::locale locale_;
  std::array<struct sigaction, kSignals.size()> actions_{};
  sigset_t blocked_{};
  bool restored_ = false;
};

/// Covers several calls of components, one after the other on this thread, with no code of the program
/// between them. While it lives, every new Surroundings takes its state from here, which saves half of its
/// system calls. Each still checks and puts back what its own call changed.
class SharedSurroundings {
 public:
  SharedSurroundings();
  ~SharedSurroundings();
  SharedSurroundings(const SharedSurroundings&) = delete;
  SharedSurroundings& operator=(const SharedSurroundings&) = delete;

 private:
  Surroundings found_;
  const Surroundings* outer_;
};

/// call(), which may change nothing of the surroundings: they are put back, and Error(plugin) names `who` and
/// what it was.
template <class Call>
void contain_whole(const std::string& who, Call&& call) {
  Surroundings before;
  const AtWork at_work(who.c_str());
  contain(who, call);
  if (const std::string changed = before.restore(); !changed.empty()) blame_for_change(who, changed);
}

}  // namespace claros
