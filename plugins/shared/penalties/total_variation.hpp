// SPDX-License-Identifier: BSD-3-Clause
/// @file total_variation.hpp  Sums of magnitudes of differences between neighbours.
#pragma once

#include <claros/element/shape.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace claros::sdk {

/// In long double: of many entries, or of large ones, no digit is lost.
inline double mean_entry(std::span<const double> v) {
  long double sum = 0.0L;
  for (const double value : v) sum += value;
  return static_cast<double>(sum / static_cast<long double>(v.size()));
}

/// argmin_x sum_k |x_k - x_{k-1}| t + ||x - v||^2 / 2, exactly, by dynamic programming. Let f_0(x) = (x -
/// v_0)^2/2 and f_{k+1}(x) = (x - v_{k+1})^2/2 + min_z f_k(z) + t |x - z|. The derivative of f_k is piecewise
/// linear and rising, and the minimum over z clips it to [-t, t]: at low_k and high_k, between which x_k =
/// x_{k+1}. Each step adds two knots and removes those that are clipped, so the whole takes linear time. If
/// the numbers tie, either side of a knot gives the same result. (Johnson: A dynamic programming algorithm
/// for the fused lasso and L0-segmentation, JCGS 22, 2013.)
///
/// From some t on the result is the mean: a larger t would only bring the rounding of its own size.
class VariationProx {
 public:
  /// x may be v.
  void operator()(std::span<const double> v, double t, std::span<double> x) {
    const std::size_t n = v.size();
    if (t == 0.0 || n < 2) {
      for (std::size_t k = 0; k < n; ++k) x[k] = v[k];
      return;
    }
    if (const double mean = mean_entry(v); t >= most_flow(v, mean))
      return std::fill(x.begin(), x.end(), mean);
    knots_.resize(2 * n);
    low_.resize(n), high_.resize(n);
    first_ = last_ = n;  // knots first_ .. last_ - 1, in rising order
    Line left{1.0, -v[0]}, right = left;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      low_[k] = clip_below(left, -t);
      high_[k] = std::max(clip_above(right, t), low_[k]);
      knots_[--first_] = {low_[k], {left.slope, left.offset + t}};  // flat at -t before it
      knots_[last_++] = {high_[k], {-right.slope, t - right.offset}};
      left = {1.0, -v[k + 1] - t};
      right = {1.0, -v[k + 1] + t};
    }
    x[n - 1] = clip_below(left, 0.0);
    for (std::size_t k = n - 1; k-- > 0;) x[k] = std::clamp(x[k + 1], low_[k], high_[k]);
  }

 private:
  /// slope x + offset.
  struct Line {
    double slope, offset;
    double at(double x) const { return slope * x + offset; }
  };
  /// A bend of the derivative, and the line by which it changes to the right of it.
  struct Knot {
    double x;
    Line change;
  };

  /// max_k |z_k| of the flows that make all entries their mean: from there on t is of no account.
  static double most_flow(std::span<const double> v, double mean) {
    long double flow = 0.0L, most = 0.0L;
    for (std::size_t k = 0; k + 1 < v.size(); ++k) flow += v[k] - mean, most = std::max(most, std::abs(flow));
    return static_cast<double>(most);
  }

  /// The place where the derivative, `line` before the first knot, reaches `level`. Drops the knots before it
  /// and leaves the line there in `line`.
  double clip_below(Line& line, double level) {
    for (; first_ < last_ && line.at(knots_[first_].x) <= level; ++first_) {
      line.slope += knots_[first_].change.slope;
      line.offset += knots_[first_].change.offset;
    }
    return (level - line.offset) / line.slope;
  }
  /// The place from the right, where `line` is the derivative behind the last knot.
  double clip_above(Line& line, double level) {
    for (; first_ < last_ && line.at(knots_[last_ - 1].x) >= level; --last_) {
      line.slope -= knots_[last_ - 1].change.slope;
      line.offset -= knots_[last_ - 1].change.offset;
    }
    return (level - line.offset) / line.slope;
  }

  std::vector<Knot> knots_;
  std::vector<double> low_, high_;
  std::size_t first_ = 0, last_ = 0;
};

/// True if the numbers sum to 0, up to the rounding of each and of the sum.
inline bool sums_to_zero(std::span<const double> s) {
  double sum = 0.0, magnitudes = 0.0;
  for (const double value : s) sum += value, magnitudes += std::abs(value);
  const double units = 8.0 + std::sqrt(static_cast<double>(s.size()));
  return std::abs(sum) <= units * std::numeric_limits<double>::epsilon() * magnitudes;
}

/// True if s = v + D'z for some |v_k| <= share and |z_k| <= t, D the differences of neighbours. That is the
/// domain of the conjugate of share ||x||_1 + t sum_k |x_k - x_{k-1}|. Along the line, the possible flows z_k
/// = z_{k-1} + v_k - s_k are an interval; the last one is 0.
inline bool in_fused_domain(std::span<const double> s, double share, double t) {
  double low = 0.0, high = 0.0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    const double most = k + 1 < s.size() ? t : 0.0;
    low = std::max(low - share - s[k], -most);
    high = std::min(high + share - s[k], most);
    if (!(low <= high)) return false;
  }
  return true;
}

/// The lines of a matrix whose neighbours are compared: its columns (a vector is one) or its rows.
class Lines {
 public:
  explicit Lines(bool rows) : rows_(rows) {}
  void fit(const Shape& shape) {
    if (shape.is_product())
      throw Error(ErrorKind::usage, "",
                  "a product of spaces has no neighbours, and the variable is " + shape.text(),
                  "take a variable that is a vector or a matrix");
    count_ = static_cast<std::size_t>(rows_ ? shape.rows : shape.cols),
    length_ = static_cast<std::size_t>(rows_ ? shape.cols : shape.rows);
  }

  double variation(std::span<const double> x) const {
    double sum = 0.0;
    for (std::size_t line = 0; line < count_; ++line)
      for (std::size_t k = 1; k < length_; ++k) sum += std::abs(x[index(line, k)] - x[index(line, k - 1)]);
    return sum;
  }
  /// The dual norm of the variation: the largest flow |z_k| with D'z = s, which is a sum of s along its line.
  /// It is infinite if a line does not sum to 0.
  double dual_norm(std::span<const double> s) {
    double most = 0.0;
    for (std::size_t line = 0; line < count_; ++line) {
      const std::span<const double> values = read(s, line);
      if (!sums_to_zero(values)) return std::numeric_limits<double>::infinity();
      double sum = 0.0;
      for (std::size_t k = 0; k + 1 < length_; ++k) sum += values[k], most = std::max(most, std::abs(sum));
    }
    return most;
  }
  /// True if all lines are in the domain (in_fused_domain).
  bool in_fused_domain(std::span<const double> s, double share, double t) {
    for (std::size_t line = 0; line < count_; ++line)
      if (!sdk::in_fused_domain(read(s, line), share, t)) return false;
    return true;
  }
  void prox(std::span<const double> v, double t, std::span<double> x) {
    line_.resize(length_);
    for (std::size_t line = 0; line < count_; ++line) {
      for (std::size_t k = 0; k < length_; ++k) line_[k] = v[index(line, k)];
      variation_prox_(line_, t, line_);
      for (std::size_t k = 0; k < length_; ++k) x[index(line, k)] = line_[k];
    }
  }

 private:
  std::span<const double> read(std::span<const double> s, std::size_t line) {
    line_.resize(length_);
    for (std::size_t k = 0; k < length_; ++k) line_[k] = s[index(line, k)];
    return line_;
  }
  std::size_t index(std::size_t line, std::size_t k) const {
    return rows_ ? k * count_ + line : line * length_ + k;
  }

  bool rows_;
  std::size_t count_ = 0, length_ = 0;
  std::vector<double> line_;
  VariationProx variation_prox_;
};

}  // namespace claros::sdk
