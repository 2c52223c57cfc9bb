// SPDX-License-Identifier: BSD-3-Clause
/// @file lines.hpp  Ridge regressions of the observed entries of every row, or of every column, in float.
#pragma once

#include <claros/element/pattern.hpp>
#include <claros/map/instruction_set.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The terms (a_e/2) x_e^2 - b_e x_e of the observed entries of a matrix, row after row or column after
/// column.
class Lines {
 public:
  /// `a` and `b` have one number an entry of the pattern.
  static Lines rows(const claros::Pattern& pattern, std::span<const double> a, std::span<const double> b);
  static Lines columns(const claros::Pattern& pattern, std::span<const double> a, std::span<const double> b);

  static constexpr std::size_t kExact = 40;
  /// The numbers of a line of k factors in memory: the factors, and zeros.
  static std::size_t width(claros::Index k) { return (static_cast<std::size_t>(k) + 7) / 8 * 8; }

  /// Sets every line u_i, in float, to argmin_u sum_e (a_e/2) <u, v_e>^2 - b_e <u, v_e> + u'Gu/2. The sum
  /// is over the entries e of the line, and v_e is the line of V across it. U and V hold lines of `width`
  /// numbers, one after the other, G holds width x width. A line without entries becomes 0. Beyond a width of
  /// kExact three steps of conjugate gradients improve u_i. The bits depend neither on threads nor on the
  /// instruction set.
  void solve(std::span<const float> V, std::span<const float> G, std::size_t width, std::span<float> U,
             claros::InstructionSet set = claros::instruction_set()) const;

 private:
  std::vector<claros::Index> start_;
  std::vector<std::int32_t> across_;
  std::vector<float> a_, b_;  ///< a_ is empty if all are 1
};
