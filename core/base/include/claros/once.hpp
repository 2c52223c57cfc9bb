// SPDX-License-Identifier: BSD-3-Clause
/// @file once.hpp  A value that is made at the first call.
#pragma once

#include <atomic>
#include <mutex>

namespace claros {

/// Calls `make` once; calls of other threads wait until it is done. After an exception the next call tries
/// again: std::call_once promises that too, and waits for ever then under the thread sanitizer.
class Once {
 public:
  template <class Make>
  void operator()(const Make& make) {
    if (made_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (made_.load(std::memory_order_relaxed)) return;
    make();
    made_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> made_ = false;
};

}  // namespace claros
