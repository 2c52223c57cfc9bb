// SPDX-License-Identifier: BSD-3-Clause
/// @file allocations.hpp  What the test program has allocated, by its own malloc.
#pragma once

#include <cstddef>

namespace claros::testing {

/// Counts from its making: bytes that are allocated now and were not then, and the most there were between.
class Allocations {
 public:
  Allocations();
  /// False where another allocator (a sanitizer's) is in the program: everything is 0 then.
  static bool counted();
  std::ptrdiff_t now() const;
  std::ptrdiff_t peak() const;
  std::ptrdiff_t largest() const;  ///< the most bytes of one allocation

 private:
  std::ptrdiff_t begin_;
};

}  // namespace claros::testing
