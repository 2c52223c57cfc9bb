// SPDX-License-Identifier: BSD-3-Clause
/// @file block_queue.hpp  Numbers that are appended while a file is read, and given back as they are sent.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace claros {

/// A queue in blocks: the memory of a block is given back when its last number was taken.
template <class T>
class BlockQueue {
 public:
  void push(T value) {
    if (blocks_.empty() || blocks_.back().size() == blocks_.back().capacity()) {
      const std::size_t size = blocks_.empty() ? kFirst : kBlock;
      blocks_.emplace_back().reserve(size);
    }
    blocks_.back().push_back(value);
    ++size_;
  }
  T pop() {
    const T value = blocks_.front()[taken_++];
    if (taken_ == blocks_.front().size()) blocks_.pop_front(), taken_ = 0;
    --size_;
    return value;
  }
  std::size_t size() const { return size_; }
  /// Calls use(value&) for each that is there, in order; none may have been taken.
  template <class Use>
  void for_each(const Use& use) {
    for (std::vector<T>& block : blocks_)
      for (T& value : block) use(value);
  }

 private:
  /// Few numbers take little; large blocks go back to the system, not to the heap.
  static constexpr std::size_t kFirst = std::size_t{1} << 10U, kBlock = std::size_t{1} << 20U;
  std::deque<std::vector<T>> blocks_;
  std::size_t taken_ = 0, size_ = 0;
};

}  // namespace claros
