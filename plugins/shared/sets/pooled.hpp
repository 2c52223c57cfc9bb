// SPDX-License-Identifier: BSD-3-Clause
/// @file pooled.hpp  Isotonic regression, and the projections and proximal steps that sort their entries.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace claros::sdk {

/// Indices that sort `values` falling, equal ones by their index.
inline void falling_order(std::span<const double> values, std::vector<std::size_t>& order) {
  order.resize(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] > values[j]; });
}

/// Entries on which a fit has one value, mean(v) - mean(w). The `base` is v at the first entry, `offset` the
/// mean of v - base, and `w` the mean of w. So large v that are alike lose no digits.
struct Pool {
  std::size_t first, count;
  double base, offset, w;
  double mean_v() const { return base + offset; }
  double level() const { return base + (offset - w); }
};

/// argmin over u_1 >= u_2 >= ... >= u_n of ||u - (v - w)||, as pools of equal u, by pooling adjacent
/// violators in O(n). v(k), w(k) for k < n. (Ayer, Brunk, Ewing, Reid, Silverman: An empirical distribution
/// function for sampling with incomplete information, 1955.)
template <class V, class W>
void pool_falling(std::size_t n, V v, W w, std::vector<Pool>& pools) {
  pools.clear();
  for (std::size_t k = 0; k < n; ++k) {
    pools.push_back({k, 1, v(k), 0.0, w(k)});
    while (pools.size() > 1) {
      Pool &before = pools[pools.size() - 2], &last = pools.back();
      const double step = (before.base - last.base) + (before.offset - last.offset);
      if (step >= before.w - last.w) break;
      const double a = static_cast<double>(before.count), b = static_cast<double>(last.count);
      before.offset = (a * before.offset + b * ((last.base - before.base) + last.offset)) / (a + b);
      before.w = (a * before.w + b * last.w) / (a + b);
      before.count += last.count;
      pools.pop_back();
    }
  }
}

/// prox of t Omega at v. Omega(x) = sum_k w_k |x|_(k), |x|_(1) >= |x|_(2) >= ... and w_1 >= w_2 >= ... >= 0.
/// With v sorted it is the fit above of |v| - t w, cut at 0. (Bogdan, van den Berg, Sabatti, Su, Candes:
/// SLOPE, Annals of Applied Statistics 9, 2015, Algorithm 4.)
class SortedNorm {
 public:
  /// Sorts v, to be worked on until the next call.
  void sort(std::span<const double> v) {
    sorted_.resize(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) sorted_[j] = std::abs(v[j]);
    falling_order(sorted_, order_);
    for (std::size_t k = 0; k < order_.size(); ++k) sorted_[k] = std::abs(v[order_[k]]);
  }
  /// |v|, sorted.
  std::span<const double> sorted() const noexcept { return sorted_; }
  /// Omega(v).
  double value(std::span<const double> w) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < sorted_.size(); ++k) sum += w[k] * sorted_[k];
    return sum;
  }
  /// Omega of the step of length t.
  double value_of_step(std::span<const double> w, double t) {
    shrink(w, t);
    double sum = 0.0;
    if (!(t > 0.0)) return value(w);
    for (const Pool& p : pools_) sum += std::max(p.level(), 0.0) * (p.w / t) * static_cast<double>(p.count);
    return sum;
  }
  /// x <- the step of length t; x may be v.
  void step(std::span<const double> v, std::span<const double> w, double t, std::span<double> x) {
    shrink(w, t);
    for (const Pool& p : pools_)
      for (std::size_t k = p.first; k < p.first + p.count; ++k)
        x[order_[k]] = std::copysign(std::max(p.level(), 0.0), v[order_[k]]);
  }

 private:
  void shrink(std::span<const double> w, double t) {
    pool_falling(
        sorted_.size(), [this](std::size_t k) { return sorted_[k]; }, [=](std::size_t k) { return t * w[k]; },
        pools_);
  }

  std::vector<double> sorted_;
  std::vector<std::size_t> order_;
  std::vector<Pool> pools_;
};

}  // namespace claros::sdk
