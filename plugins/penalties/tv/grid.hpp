// SPDX-License-Identifier: BSD-3-Clause
/// @file grid.hpp  Proximal steps of the total variation of a matrix whose rows and columns both have
/// neighbours.
#pragma once

#include <claros/proximal_oracle.hpp>
#include <claros/sdk/penalties/total_variation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tv {

/// min_x t V(x) + ||x - v||^2 / 2 with V(x) = sum |x_{i+1,j} - x_{i,j}| + sum |x_{i,j+1} - x_{i,j}|
/// (anisotropic), or V(x) = sum ||(x_{i+1,j} - x_{i,j}, x_{i,j+1} - x_{i,j})||, a difference beyond the edge
/// being 0 (isotropic). Any w = D'u, |u| <= t, gives x = v - w with
///     ||x - x*||^2 <= t V(x) - <x, w>,
/// the duality gap, since primal and dual are both strongly convex in x: the certificate.
class Grid {
 public:
  explicit Grid(bool isotropic) : isotropic_(isotropic), columns_(false), rows_(true) {}
  void fit(const claros::Shape& shape) {
    columns_.fit(shape), rows_.fit(shape);
    m_ = static_cast<std::size_t>(shape.rows), n_ = static_cast<std::size_t>(shape.cols);
  }
  double variation(std::span<const double> x) const {
    if (!isotropic_) return columns_.variation(x) + rows_.variation(x);
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += std::hypot(down(x, k), right(x, k));
    return sum;
  }
  /// x may be v.
  claros::Certificate prox(std::span<const double> v, double t, std::span<double> x,
                           const claros::Accuracy& accuracy) {
    v_.assign(v.begin(), v.end());
    x_ = v_;
    double gap = 0.0, size = 0.0;
    if (t > 0.0 && m_ * n_ > 1)
      gap = isotropic_ ? by_pixels(t, accuracy.tolerance) : by_lines(t, accuracy.tolerance);
    for (const double value : x_) size += value * value;
    std::copy(x_.begin(), x_.end(), x.begin());
    claros::Certificate certificate;
    certificate.error = std::sqrt(gap);
    certificate.exact = gap <= accuracy.tolerance * accuracy.tolerance * size;
    return certificate;
  }

 private:
  static constexpr int kMostSteps = 10000, kBetweenLooks = 10;  // of which the last is at the end

  /// Accelerated block ascent of the dual: p = v - q - prox_columns(v - q), q+ = v - p - prox_rows(v - p),
  /// each exact, with momentum on q that begins anew where it turns against the step. Without momentum this
  /// is Dykstra's method. (Barbero, Sra 2018, section 4; Chambolle, Pock 2015: gap of the order of 1/k^2.)
  double by_lines(double t, double tolerance) {
    const std::size_t size = v_.size();
    std::vector<double> q(size, 0.0), momentum(size, 0.0), last(size, 0.0), w(size);
    double theta = 1.0, gap = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= kMostSteps; ++k) {
      for (std::size_t e = 0; e < size; ++e) w[e] = v_[e] - momentum[e];
      columns_.prox(w, t, x_);
      for (std::size_t e = 0; e < size; ++e) w[e] -= x_[e];  // p
      for (std::size_t e = 0; e < size; ++e) x_[e] = v_[e] - w[e];
      rows_.prox(x_, t, x_);
      last.swap(q);
      for (std::size_t e = 0; e < size; ++e) q[e] = v_[e] - w[e] - x_[e];
      if (k % kBetweenLooks == 0) {
        for (std::size_t e = 0; e < size; ++e) w[e] += q[e];
        gap = gap_at(t, w);
        if (gap <= allowed(t, tolerance) || rests(k, gap)) return gap;
      }
      theta = extrapolate(q, last, momentum, theta);
    }
    return gap;
  }

  /// Fast gradient projection on the dual, of step 1/8: u+ = P(u + D(v - D'u)/8), P onto |u_ij| <= t. (Beck,
  /// Teboulle 2009, IEEE Trans. Image Processing 18.)
  double by_pixels(double t, double tolerance) {
    const std::size_t size = v_.size();
    std::vector<double> u(2 * size, 0.0), momentum(u), last(u), w(size);
    double theta = 1.0, gap = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= kMostSteps; ++k) {
      primal(momentum, w);
      last.swap(u);
      for (std::size_t e = 0; e < size; ++e) {
        const double a = momentum[e] + 0.125 * down(x_, e), b = momentum[size + e] + 0.125 * right(x_, e),
                     length = std::hypot(a, b);
        const double shrink = length > t ? t / length : 1.0;
        u[e] = shrink * a, u[size + e] = shrink * b;
      }
      if (k % kBetweenLooks == 0) {
        primal(u, w);
        gap = gap_at(t, w);
        if (gap <= allowed(t, tolerance) || rests(k, gap)) return gap;
      }
      theta = extrapolate(u, last, momentum, theta);
    }
    return gap;
  }

  /// w <- D'u, x <- v - w.
  void primal(const std::vector<double>& u, std::vector<double>& w) {
    const std::size_t size = v_.size();
    for (std::size_t e = 0; e < size; ++e) {
      const bool first_row = e % m_ == 0, first_column = e < m_, last_row = e % m_ == m_ - 1,
                 last_column = e + m_ >= size;
      w[e] = (first_row ? 0.0 : u[e - 1]) - (last_row ? 0.0 : u[e]) +
             (first_column ? 0.0 : u[size + e - m_]) - (last_column ? 0.0 : u[size + e]);
      x_[e] = v_[e] - w[e];
    }
  }

  static double extrapolate(const std::vector<double>& now, const std::vector<double>& last,
                            std::vector<double>& momentum, double theta) {
    double turn = 0.0;
    for (std::size_t e = 0; e < now.size(); ++e) turn += (momentum[e] - now[e]) * (now[e] - last[e]);
    const double next = turn > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta * theta)),
                 share = turn > 0.0 ? 0.0 : (theta - 1.0) / next;
    for (std::size_t e = 0; e < now.size(); ++e) momentum[e] = now[e] + share * (now[e] - last[e]);
    return next;
  }

  /// t V(x) - <x, w> at x = v - w, which is not negative but for rounding; that is added, so that the bound
  /// holds.
  double gap_at(double t, const std::vector<double>& w) const {
    double product = 0.0, rounding = 0.0;
    for (std::size_t e = 0; e < w.size(); ++e) product += x_[e] * w[e], rounding += std::abs(x_[e] * w[e]);
    const double total = t * variation(x_);
    return std::max(total - product, 0.0) + kRounding * (total + rounding);
  }
  double allowed(double t, double tolerance) const {
    double size = 0.0;
    for (const double value : x_) size += value * value;
    return std::max(tolerance * tolerance * size, 4.0 * kRounding * (t * variation(x_) + size));
  }
  /// Whether the gap, which falls like 1/k^2 or faster, has not even been halved while the steps were
  /// doubled: what is left is rounding.
  bool rests(int k, double gap) {
    if (k == 0) marked_ = 0;
    if (k < 2 * marked_ || k < 4 * kBetweenLooks) return false;
    const bool stays = marked_ > 0 && !(gap <= 0.5 * marked_gap_);
    marked_ = k, marked_gap_ = gap;
    return stays;
  }
  static constexpr double kRounding = 1e-15;

  /// The differences of entry k to the one below and to the one on the right; 0 at the edge.
  double down(std::span<const double> x, std::size_t k) const {
    return k % m_ + 1 < m_ ? x[k + 1] - x[k] : 0.0;
  }
  double right(std::span<const double> x, std::size_t k) const {
    return k + m_ < x.size() ? x[k + m_] - x[k] : 0.0;
  }

  bool isotropic_;
  claros::sdk::Lines columns_, rows_;
  std::size_t m_ = 0, n_ = 0;
  std::vector<double> v_, x_;
  int marked_ = 0;  ///< a step, and the gap there
  double marked_gap_ = 0.0;
};

}  // namespace tv
