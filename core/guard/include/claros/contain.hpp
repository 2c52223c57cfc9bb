// SPDX-License-Identifier: BSD-3-Clause
/// @file contain.hpp  Calls into plugins: what they throw reaches the host as claros::Error, and how numbers
/// are computed is afterwards what it was before. Also in whose code a thread is.
#pragma once

#include <claros/api.hpp>

#include <cfenv>
#include <cstdint>
#include <string>
#include <utility>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace claros {

/// How this thread computes: rounding, which exceptions trap, and whether numbers below the normal range
/// count as 0. Reading it costs some cycles.
class CLAROS_API FloatingPointMode {
 public:
  static FloatingPointMode now() noexcept {
#if defined(__SSE2__)
    return FloatingPointMode(_mm_getcsr() & ~kSeen);
#else
    return FloatingPointMode(static_cast<std::uint32_t>(std::fegetround()));
#endif
  }
  bool operator==(const FloatingPointMode&) const = default;
  /// Makes it the thread's mode again; returns the name of the change, "the rounding mode", or nothing.
  std::string put_back() const;

 private:
  static constexpr std::uint32_t kSeen = 0x3F;  ///< which exceptions there were, no mode
  explicit FloatingPointMode(std::uint32_t bits) noexcept : bits_(bits) {}
  std::uint32_t bits_;
};

/// To be called inside a catch block. Rethrows a claros::Error, Interrupted, and a thread's cancellation as
/// they are. A numerical Error that names no component gets `who` in front of its place. std::bad_alloc
/// becomes Error(data) that says how much memory is in use and left. Anything else becomes Error(plugin) that
/// names `who` ("set/box"), the type, and its text.
[[noreturn]] CLAROS_API void rethrow_contained(const std::string& who);

/// Throws Error(plugin): `who` changed `what` of the process and left it so.
[[noreturn]] CLAROS_API void blame_for_change(const std::string& who, const std::string& what);

/// call(), where whatever a plugin throws is contained. Throws Error(plugin) if the call left another
/// floating-point mode, which is put back.
template <class Call>
decltype(auto) contain(const std::string& who, Call&& call) {
  // Looks when the call is over. If the call threw, its own error has priority, and the mode is restored in
  // silence.
  struct Guard {
    ~Guard() noexcept(false) {
      if (FloatingPointMode::now() == before) [[likely]]
        return;
      const std::string changed = before.put_back();
      if (!threw) blame_for_change(who, changed);
    }
    const std::string& who;
    FloatingPointMode before = FloatingPointMode::now();
    bool threw = false;
  } guard{who};
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    guard.threw = true;
    rethrow_contained(who);
  }
}

/// Says that this thread is in the code of `who` ("set/box"), a text that outlives it.
class CLAROS_API AtWork {
 public:
  explicit AtWork(const char* who) noexcept;
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  /// The innermost component at work on the calling thread; null: Claros.
  static const char* now() noexcept;

 private:
  const char* before_;
};

}  // namespace claros
