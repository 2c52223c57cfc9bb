// SPDX-License-Identifier: BSD-3-Clause
/// @file remembered.hpp  The memory of sets and penalties from one call to the next, kept while a point is
/// measured.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>

#include <string>
#include <utility>
#include <vector>

namespace claros {

/// A projection may start where the last one ended (a rank, a basis, the place in a stream of random
/// numbers). Measuring asks for projections too. Afterwards every set and penalty gets its earlier state
/// back, so that a run which is measured more often makes the same steps and counts the same work.
class Remembered {
 public:
  explicit Remembered(const Problem& problem);
  /// Calls `measure`, and gives every part its state back, however the call ends.
  template <class Measure>
  void during(Measure&& measure) const {
    try {
      measure();
    } catch (...) {
      give_back();
      throw;
    }
    give_back();
  }

 private:
  void give_back() const;

  std::vector<std::pair<std::string, State*>> parts_;
  References references_;
  std::string bytes_;
};

}  // namespace claros
