// SPDX-License-Identifier: BSD-3-Clause
/// @file sampler.hpp  Where batches come from.
#pragma once

#include <claros/objective.hpp>
#include <claros/random.hpp>

#include <vector>

namespace claros {

/// Uniform batches of the components of an objective. Of an expectation: the next draws, each used once.
class CLAROS_API Sampler {
 public:
  Sampler(RandomStream stream, Index components) : stream_(stream), components_(components) {}

  /// `size` i.i.d. indices (without replacement: distinct ones; size <= n, else Error(usage)). Valid until the next call.
  Batch draw(Index size, bool replacement = true);
  Index components() const noexcept { return components_; }
  /// The whole state.
  std::uint64_t position() const noexcept { return stream_.position(); }
  void seek(std::uint64_t position) noexcept { stream_.seek(position); }

 private:
  RandomStream stream_;
  Index components_;
  std::vector<Index> batch_;
};

}  // namespace claros
