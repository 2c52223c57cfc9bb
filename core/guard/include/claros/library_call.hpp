// SPDX-License-Identifier: BSD-3-Clause
/// @file library_call.hpp  Calls of a library that cannot be interrupted, such as one decomposition of
/// LAPACK.
#pragma once

#include <claros/api.hpp>

#include <atomic>

namespace claros {

/// Says that this thread is in one long call of a library, which polls nothing (interruption.hpp): such a
/// call ends by itself. While the thread works in it, a watchdog (run/watchdog.hpp) waits, and no component
/// is blamed for it. Polls first, so that none begins when the work is to be abandoned. `what` outlives the
/// object: "the singular value decomposition".
class CLAROS_API LibraryCall {
 public:
  /// The call that a thread is in; `what` is null if it is in none. Other threads read it.
  struct UnderWay {
    std::atomic<const char*> what = nullptr;
    std::atomic<Index> rows = 0, cols = 0;
  };

  /// The matrix of the call has this size.
  LibraryCall(const char* what, Index rows, Index cols);
  ~LibraryCall();
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  /// The record of the calling thread, which lives as long as the thread.
  static const UnderWay& of_this_thread() noexcept;

 private:
  const char* what_before_;
  Index rows_before_, cols_before_;
};

}  // namespace claros
