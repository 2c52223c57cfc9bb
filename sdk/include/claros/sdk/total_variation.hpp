// SPDX-License-Identifier: BSD-3-Clause
/// @file total_variation.hpp  Sums of magnitudes of differences between neighbours.
#pragma once

#include <claros/element/shape.hpp>
#include <claros/error.hpp>

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace claros::sdk {

/// argmin_x sum_k |x_k - x_{k-1}| t + ||x - v||^2 / 2, exactly, by Condat's direct method: the dual, a running sum kept within a tube of width 2 t, is followed to where it
/// must touch a wall, and the segments before it are final. Linear in practice. x may be v. (Condat: A direct algorithm for 1D total variation denoising, IEEE Signal Processing
/// Letters 20, 2013.)
inline void prox_of_variation(std::span<const double> v, double t, std::span<double> x) {
  const std::size_t n = v.size();
  if (t == 0.0 || n < 2) {
    for (std::size_t k = 0; k < n; ++k) x[k] = v[k];
    return;
  }
  std::size_t at = 0, first = 0, rise = 0, fall = 0;  // a segment begins at `first`; it may end where its lower (upper) level was last touched
  double low = v[0] - t, high = v[0] + t, sum_low = t, sum_high = -t;
  const auto write = [&](std::size_t last, double level) {
    do x[first++] = level;
    while (first <= last);
    return first;
  };
  while (true) {
    while (at + 1 == n) {
      if (sum_low < 0.0) {
        at = fall = write(fall, low);
        low = v[at], sum_low = t, sum_high = low + sum_low - high;
      } else if (sum_high > 0.0) {
        at = rise = write(rise, high);
        high = v[at], sum_high = -t, sum_low = high + sum_high - low;
      } else {
        (void)write(at, low + sum_low / static_cast<double>(at - first + 1));
        return;
      }
    }
    if (sum_low + v[at + 1] - low < -t) {
      at = rise = fall = write(fall, low);
      low = v[at], high = low + 2.0 * t, sum_low = t, sum_high = -t;
    } else if (sum_high + v[at + 1] - high > t) {
      at = rise = fall = write(rise, high);
      high = v[at], low = high - 2.0 * t, sum_low = t, sum_high = -t;
    } else {
      ++at;
      sum_low += v[at] - low, sum_high += v[at] - high;
      if (sum_low >= t) low += (sum_low - t) / static_cast<double>(at - first + 1), sum_low = t, fall = at;
      if (sum_high <= -t) high += (sum_high + t) / static_cast<double>(at - first + 1), sum_high = -t, rise = at;
    }
  }
}

/// The lines of a matrix whose neighbours are compared: its columns (a vector is one) or its rows.
class Lines {
 public:
  explicit Lines(bool rows) : rows_(rows) {}
  void fit(const Shape& shape) {
    if (shape.is_product()) throw Error(ErrorKind::usage, "penalty", "a product of spaces has no neighbours, and the variable is " + shape.text(), "take a variable that is a vector or a matrix");
    count_ = static_cast<std::size_t>(rows_ ? shape.rows : shape.cols), length_ = static_cast<std::size_t>(rows_ ? shape.cols : shape.rows);
  }

  double variation(std::span<const double> x) const {
    double sum = 0.0;
    for (std::size_t line = 0; line < count_; ++line)
      for (std::size_t k = 1; k < length_; ++k) sum += std::abs(x[index(line, k)] - x[index(line, k - 1)]);
    return sum;
  }
  void prox(std::span<const double> v, double t, std::span<double> x) {
    line_.resize(length_);
    for (std::size_t line = 0; line < count_; ++line) {
      for (std::size_t k = 0; k < length_; ++k) line_[k] = v[index(line, k)];
      prox_of_variation(line_, t, line_);
      for (std::size_t k = 0; k < length_; ++k) x[index(line, k)] = line_[k];
    }
  }

 private:
  std::size_t index(std::size_t line, std::size_t k) const { return rows_ ? k * count_ + line : line * length_ + k; }

  bool rows_;
  std::size_t count_ = 0, length_ = 0;
  std::vector<double> line_;
};

}  // namespace claros::sdk
