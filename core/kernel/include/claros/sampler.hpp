// SPDX-License-Identifier: BSD-3-Clause
/// @file sampler.hpp  The source of batches.
#pragma once

#include <claros/importance.hpp>
#include <claros/objective.hpp>
#include <claros/random.hpp>

#include <vector>

namespace claros {

/// Batches of the terms of an objective. For an expectation, a batch has the next draws, each used once.
class CLAROS_API Sampler {
 public:
  Sampler(RandomStream stream, Index terms) : stream_(stream), terms_(terms) {}

  /// `size` i.i.d. indices (without replacement: distinct ones; size <= n, else Error(usage)). Valid until
  /// the next call.
  Batch draw(Index size, bool replacement = true);
  /// `size` i.i.d. terms in the proportions of `importance`, weighted so that means stay what they were.
  /// Finite sums only. Valid until the next call.
  Batch draw(Index size, const Importance& importance);
  Index terms() const noexcept { return terms_; }
  /// The whole state.
  std::uint64_t position() const noexcept { return stream_.position(); }
  void seek(std::uint64_t position) noexcept { stream_.seek(position); }

 private:
  RandomStream stream_;
  Index terms_;
  std::vector<Index> batch_;
  std::vector<double> weights_;
};

}  // namespace claros
