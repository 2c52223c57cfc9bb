// SPDX-License-Identifier: BSD-3-Clause
/// @file piecewise_steps.hpp  Many proximal steps of one coordinate at once, where the step is piecewise
/// affine.
#pragma once

#include <claros/abilities.hpp>
#include <claros/api.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace claros::sdk {

/// v -> prox_{t h}(v) of one coordinate. It is continuous and nondecreasing, and slope * v + offset on each
/// of a few pieces, which cover the line in order.
class PiecewiseAffine {
 public:
  /// Up to and with v = end.
  struct Piece {
    double end, slope, offset;
  };
  /// Adds a piece behind the others; an empty one, up to where the last one ended, is left out.
  PiecewiseAffine& piece(double end, double slope, double offset) {
    if (count_ == 0 || end > pieces_[count_ - 1].end) pieces_[count_++] = {end, slope, offset};
    return *this;
  }
  std::size_t count() const noexcept { return count_; }
  const Piece& operator[](std::size_t k) const noexcept { return pieces_[k]; }

  /// The odd function that is `half` for v >= 0, where that is 0 up to the end of its first piece.
  static PiecewiseAffine odd(const PiecewiseAffine& half) {
    PiecewiseAffine whole;
    for (std::size_t k = half.count(); k-- > 1;)
      whole.piece(-half[k - 1].end, half[k].slope, -half[k].offset);
    for (std::size_t k = 0; k < half.count(); ++k) whole.piece(half[k].end, half[k].slope, half[k].offset);
    return whole;
  }

 private:
  std::array<Piece, 8> pieces_{};
  std::size_t count_ = 0;
};

/// Steps x <- prox_{t h}(x - t d), `count` at once. On a piece of slope a = 1 + b a step is x <- x + m + b (x
/// - x_0), m the first move. With S_k = 1 + a + ... + a^{k-1},
///     x_k = x_0 + m S_k,   x_1 + ... + x_k = k x_0 + m (S_1 + ... + S_k).
/// The orbit of a nondecreasing map goes one way: it enters each piece once.
class PiecewiseSteps {
 public:
  PiecewiseSteps() = default;
  PiecewiseSteps(const PiecewiseAffine& prox, double t) : t_(t), count_(prox.count()) {
    for (std::size_t k = 0; k < count_; ++k) {
      const double b = prox[k].slope - 1.0;
      ends_[k] = prox[k].end;
      pieces_[k] = {prox[k].slope, prox[k].offset, b, std::log1p(b)};
    }
  }

  /// x after `count` >= 1 steps; adds the sum of their values to *sum unless that is null.
  double operator()(double x, Index count, double d, double* sum) const {
    const double shift = t_ * d;
    constexpr int kVisits = 4 * static_cast<int>(kMost);  // rounding where pieces meet may send it to and fro
    for (int visit = 0; visit < kVisits; ++visit) {
      const double v = x - shift;
      const std::size_t k = piece_of(v);
      const Affine& f = pieces_[k];
      const double next = f.slope * v + f.offset;
      const bool rests = next == x, last = count == 1;
      if (rests || last || !(std::abs(next) < std::numeric_limits<double>::infinity())) {
        if (sum) *sum += static_cast<double>(count) * next;
        return next;
      }
      if (f.slope == 0.0) {
        if (sum) *sum += next;
        x = next, --count;
        continue;
      }
      const double limit = shift + (next > x ? ends_[k]
                                    : k > 0  ? ends_[k - 1]
                                             : -std::numeric_limits<double>::infinity());
      const double move = f.bend == 0.0 ? f.offset - shift : f.bend * x + (f.offset - f.slope * shift);
      if (f.bend == 0.0 && !sum) {
        const double all = static_cast<double>(count), from = x + (all - 1.0) * move;
        if (next > x ? from <= limit : from >= limit) return x + all * move;
      }
      const double n = steps_within(f, static_cast<double>(count), (limit - x) / move);
      if (sum) *sum += n * x + move * sum_of_sums(f, n);
      x += move * sums(f, n);
      count -= static_cast<Index>(n);
      if (count == 0) return x;
    }
    if (sum) *sum += static_cast<double>(count) * x;
    return x;
  }

  /// The function of LazySteps; `self` is a PiecewiseSteps.
  static double advance(const void* self, double x, Index count, double d, double* sum) {
    return (*static_cast<const PiecewiseSteps*>(self))(x, count, d, sum);
  }
  LazySteps lazy_steps() const { return {.self = this, .coordinate = &advance}; }

 private:
  static constexpr std::size_t kMost = 8;
  struct Affine {
    double slope, offset, bend, log_slope;
  };

  std::size_t piece_of(double v) const {
    std::size_t k = 0;
    for (std::size_t l = 0; l + 1 < count_; ++l)
      k += v > ends_[l];  // without a branch, which would be unpredictable
    return k;
  }

  /// S_n
  static double sums(const Affine& f, double n) {
    return f.bend == 0.0 ? n : std::expm1(n * f.log_slope) / f.bend;
  }

  /// S_1 + ... + S_n = C(n+1, 2) + b C(n+1, 3) + b^2 C(n+1, 4) + ...
  static double sum_of_sums(const Affine& f, double n) {
    constexpr double kSmall = 1e-2;
    const double b = f.bend;
    if (std::abs(b) * n > kSmall) return (f.slope * sums(f, n) - n) / b;
    double term = 0.5 * n * (n + 1.0), sum = term;
    for (int k = 3; k <= 7; ++k) sum += term *= b * (n + 2.0 - k) / k;
    return sum;
  }

  /// How many of `count` steps start on the piece, where a move of `room` first moves leads to its end.
  static double steps_within(const Affine& f, double count, double room) {
    if (sums(f, count - 1.0) <= room) return count;
    const double reach = f.bend == 0.0 ? room : std::log1p(room * f.bend) / f.log_slope,
                 steps = std::floor(reach) + 1.0;
    return steps >= 1.0 ? std::min(steps, count) : 1.0;
  }

  double t_ = 0.0;
  std::size_t count_ = 0;
  std::array<double, kMost> ends_{};
  std::array<Affine, kMost> pieces_{};
};

}  // namespace claros::sdk
