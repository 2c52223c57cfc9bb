// SPDX-License-Identifier: BSD-3-Clause
/// @file workers.hpp  Independent pieces of work, several at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace claros {

/// work(0), ..., work(count - 1), `jobs` of them at a time; the first in order that threw throws here, after
/// those that had begun.
template <class Work>
void work_on_all(std::size_t count, std::size_t jobs, const Work& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> over = false;
  const auto serve = [&] {
    for (std::size_t k = next++; k < count && !over; k = next++) try {
        work(k);
      } catch (...) {
        thrown[k] = std::current_exception();
        over = true;
      }
  };
  std::vector<std::thread> others;
  for (std::size_t j = 1; j < std::min(jobs, count); ++j) others.emplace_back(serve);
  serve();
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

}  // namespace claros
