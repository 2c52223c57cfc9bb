// SPDX-License-Identifier: BSD-3-Clause
/// @file exercise.hpp  A fixed piece of work for a component of any kind: the same work gives the same bits.
#pragma once

#include "bench.hpp"

namespace claros::doctor {

struct Work {
  std::uint64_t inputs = 1;  ///< seed of the points, directions, batches
  int threads = 1;
  bool large = false;  ///< so large that loops are shared among threads
};

/// Makes a component and works with it; everything that it answers, in order. A refusal (claros::Error) is
/// one number.
Numbers exercise(const Bench& bench, const Settings& settings, const Work& work);
/// Exercises two instances in turns, the second at other inputs; returns what the first one gives.
Numbers exercise_in_turns(const Bench& bench, const Settings& settings, const Work& work);

}  // namespace claros::doctor
