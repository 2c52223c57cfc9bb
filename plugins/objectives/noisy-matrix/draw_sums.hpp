// SPDX-License-Identifier: BSD-3-Clause
/// @file draw_sums.hpp  Sums of consecutive normal draws, without making each.
#pragma once

#include <claros/random.hpp>

#include <cstdint>
#include <span>

/// Q_0, Q_1, ...: independent arrays of independent N(0, 1) numbers, and their sums over ranges. The sum of
/// 2^j draws, of variance 2^j, is made first. Halves of a sum S of k draws follow from it as S/2 +- sqrt(k)/2
/// Z, Z of N(0, 1), which is their law given S (Levy's construction of a random walk). So a range of draws is
/// the sum of a few halves. It equals the sum of its draws made one by one up to rounding, at a cost that
/// grows like the log of its size. Draw i belongs to the tree of the 2^j draws from 2^j - 1 on. A number is a
/// function of (seed, draws, entry) alone.
class DrawSums {
 public:
  DrawSums(claros::RandomStream stream, claros::Index entries);

  /// out <- out + a * (Q_first + ... + Q_{first + count - 1}), entries in parallel.
  void add(claros::Index first, claros::Index count, double a, std::span<double> out) const;

 private:
  struct Piece;
  void add_piece(Piece& piece, claros::Index node, claros::Index begin, claros::Index draws,
                 const double* sum, int depth) const;
  void normals(std::uint64_t node, claros::Index first_entry, std::span<double> out) const;

  claros::RandomStream stream_;
  claros::Index entries_;
};
