// SPDX-License-Identifier: BSD-3-Clause
/// @file acts.hpp  What a library can do to the process that it is loaded into. CLAROS_ACT names one.
#pragma once

#include <fenv.h>
#include <signal.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace acts {

[[maybe_unused]] inline void exit_at_once() { ::_exit(0); }
[[maybe_unused]] inline void abort() { std::abort(); }
[[maybe_unused]] inline void crash() { ::raise(SIGSEGV); }
[[maybe_unused]] inline void hang() {
  for (;;) ::pause();
}
[[maybe_unused]] inline void round_up() { ::fesetround(FE_UPWARD); }
[[maybe_unused]] inline void flush_to_zero() {
#if defined(__SSE2__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}
[[maybe_unused]] inline void leave_folder() {
  if (::chdir("/") != 0) std::abort();
}
[[maybe_unused]] inline void change_locale() { std::setlocale(LC_ALL, "C.UTF-8"); }
[[maybe_unused]] inline void take_signals() {
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_IGN);
}

}  // namespace acts
