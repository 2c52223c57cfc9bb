// SPDX-License-Identifier: BSD-3-Clause
/// @file draws.hpp  Gaussian measurements of a matrix, each made from its number.
#pragma once

#include <claros/context.hpp>
#include <claros/map/measurements.hpp>
#include <claros/objective.hpp>

#include <cstdint>
#include <vector>

namespace matrix_sensing {

/// Draw i: A_i and y_i = <A_i, X*> + noise N(0, 1). A_i has independent N(0, 1) entries (dense), or is a_i
/// b_i' (rank_one) or a_i a_i' (symmetric) of vectors of such entries. All of it is a function of (seed,
/// trial, i): every draw has its own stretch of three streams.
class Draws {
 public:
  using Kind = claros::Measurements::Kind;
  /// `family` 0, 1, ...: draws that have nothing in common. X* is kept as it is.
  Draws(Kind kind, claros::Element truth, double noise, std::uint64_t seed, std::uint32_t trial,
        std::uint32_t family);

  const claros::Element& truth() const noexcept { return truth_; }
  Kind kind() const noexcept { return kind_; }
  double noise() const noexcept { return noise_; }
  claros::Shape shape() const { return truth_.shape(); }
  /// How many numbers A_i is made of.
  claros::Index length() const noexcept;
  /// The draws batch[first], ..., batch[last - 1], made by the threads in force; they live until the next
  /// call.
  claros::Measurements of(const claros::Batch& batch, claros::Index first, claros::Index last);
  /// The first `count`, for good. Throws Error(data) at objective.held_out where they do not fit the memory.
  claros::Measurements kept(claros::Index count);

 private:
  enum Side : std::uint32_t { kLeft, kRight, kNoise, kSides };
  void fill(Side side, claros::Index i, std::span<double> row) const;
  claros::Measurements measured(claros::Design left, claros::Design right, const claros::Batch& batch,
                                claros::Index first) const;

  Kind kind_;
  claros::Element truth_;
  double noise_;
  std::uint64_t seed_;
  std::uint32_t trial_, family_;
  std::vector<double> left_, right_;
};

}  // namespace matrix_sensing
