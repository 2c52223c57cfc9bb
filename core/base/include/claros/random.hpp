// SPDX-License-Identifier: BSD-3-Clause
/// @file random.hpp  Counter-based random streams (Philox 4x32-10): a value is a pure function of (seed,
/// purpose, instance, position), so that results depend neither on threads nor on interruptions.
#pragma once

#include <claros/api.hpp>

#include <cstdint>
#include <span>

namespace claros {

/// One stream a purpose, so that drawing more for one never shifts another. Whose each is: two that draw from
/// one stream draw the same numbers.
enum class Purpose : std::uint32_t {
  sampling = 1,      ///< the run's Sampler alone: estimators draw their batches from it
  data = 2,          ///< data components; the same in every trial
  oracle = 3,        ///< sets and penalties: where their iterations begin
  confirmation = 4,  ///< the same, for results to rely upon (OracleRequest::confirm, Accuracy::certify)
  output = 5,        ///< algorithms: which point is the answer, which coordinate is next
  start = 6,         ///< sets: a random point to start from
  test = 7,          ///< doctor and other tests alone
  draws = 8,         ///< objectives that are expectations: component i is made from a position that i tells
  coins = 9          ///< estimators: whether to take a full gradient, and all else that is no batch
};

/// A stream of random numbers. Its whole state is `position`, 8 bytes.
class CLAROS_API RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t instance = 0) noexcept
      : seed_(seed), purpose_(static_cast<std::uint32_t>(purpose)), instance_(instance) {}

  std::uint64_t next() noexcept;                      ///< 64 uniform bits
  double uniform() noexcept;                          ///< in [0, 1), 53 bits
  Index index(Index n) noexcept;                      ///< uniform on {0..n-1}, without bias; n >= 1
  double normal() noexcept;                           ///< N(0, 1); consumes two positions
  void fill_uniform(std::span<double> out) noexcept;  ///< the same numbers as repeated uniform()
  /// Independent N(0, 1). Uses both Box-Muller variates of each pair of positions, so it consumes out.size()
  /// positions, rounded up to an even number. Only every other number equals that of repeated normal().
  void fill_normal(std::span<double> out) noexcept;

  std::uint64_t position() const noexcept { return position_; }
  void seek(std::uint64_t position) noexcept { position_ = position; }

 private:
  std::uint64_t seed_;
  std::uint32_t purpose_, instance_;
  std::uint64_t position_ = 0;
};

}  // namespace claros
