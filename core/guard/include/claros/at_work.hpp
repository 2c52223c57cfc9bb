// SPDX-License-Identifier: BSD-3-Clause
/// @file at_work.hpp  In whose code a thread is.
#pragma once

#include <claros/api.hpp>

namespace claros {

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
