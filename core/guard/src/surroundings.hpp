// SPDX-License-Identifier: BSD-3-Clause
/// @file surroundings.hpp  What a component must leave as it found it, because others compute and read by it.
#pragma once

#include <claros/at_work.hpp>
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
  ~Surroundings();  ///< restores
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  /// Puts back what is no longer as it was when this was made, and says what that is: "the working directory
  /// and the rounding mode". Empty where nothing changed.
  std::string restore() const;

 private:
  static constexpr std::array<int, 6> kSignals{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXFSZ};

  FloatingPointMode mode_;
  int folder_;  ///< the working directory, open
  struct stat place_ {};
  std::string names_;  ///< of the C locale
  std::locale locale_;
  std::array<struct sigaction, kSignals.size()> actions_{};
  sigset_t blocked_{};
};

/// call(), which may change nothing of the surroundings: they are put back, and Error(plugin) names `who` and
/// what it was.
template <class Call>
void contain_whole(const std::string& who, Call&& call) {
  const Surroundings before;
  const AtWork at_work(who.c_str());
  contain(who, call);
  if (const std::string changed = before.restore(); !changed.empty()) blame_for_change(who, changed);
}

}  // namespace claros
