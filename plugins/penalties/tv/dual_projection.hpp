// SPDX-License-Identifier: BSD-3-Clause
/// @file dual_projection.hpp  Fast gradient projection on the dual of isotropic total variation.
#pragma once

#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace tv {

/// min over |u_ij| <= t of ||v - D'u||^2 / 2, u_ij the flows (a_ij, b_ij) of pixel (i, j) to the one below
/// and to the one on the right, 0 at the edge. x = v - D'u is
///     x_ij = v_ij + a_ij - a_{i-1,j} + b_ij - b_{i,j-1}.
/// u+ = P(m + D x(m) / 8), m = u + beta (u - u_before), with momentum that begins anew when it turns against
/// the step. (Beck, Teboulle 2009, IEEE Trans. Image Processing 18; O'Donoghue, Candes 2015, section 3.2.) A
/// step goes down the columns once: it reads u and u_before, and overwrites u_before with u+.
class DualProjection {
 public:
  /// Starts for m x n pixels from the u of the last t > 0, scaled, if that had this size. It keeps the
  /// momentum if `continues`.
  void start(std::size_t m, std::size_t n, double t, bool continues) {
    constexpr double kAlike = 1e3;  // t of other data say nothing
    m_ = m;
    n_ = n;
    if (!holds(2 * m * n) || t > kAlike * t_ || t_ > kAlike * t)
      u_.assign(2 * m * n, 0.0), before_ = u_, theta_ = 1.0, beta_ = 0.0;
    else if (t != t_)
      for (std::vector<double>* each : {&u_, &before_})
        for (double& value : *each) value *= t / t_;
    t_ = t;
    if (!continues) theta_ = 1.0, beta_ = 0.0;
    for (std::vector<double>* column : {&a_, &b_, &x_, &a_next_, &b_next_, &x_next_}) column->resize(m);
  }

  bool holds(std::size_t count) const noexcept { return u_.size() == count && t_ > 0.0; }
  /// The flows down, then those to the right, |u_ij| <= t().
  const std::vector<double>& u() const noexcept { return u_; }
  double t() const noexcept { return t_; }

  void step(std::span<const double> v) {
    const std::size_t size = m_ * n_;
    double turn = 0.0;
    primal_column(v, 0, {}, a_, b_, x_);
    for (std::size_t j = 0; j < n_; ++j) {
      const bool last = j + 1 == n_;
      if (!last) primal_column(v, j + 1, b_, a_next_, b_next_, x_next_);
      const std::span<double> to_a(before_.data() + j * m_, m_), to_b(before_.data() + size + j * m_, m_);
      ascend(last ? x_ : x_next_, to_a, to_b);
      const double *a = u_.data() + j * m_, *b = u_.data() + size + j * m_;
      turn += claros::sdk::sum_indices(
          m_, [&, p = a_.data(), q = b_.data(), r = to_a.data(), s = to_b.data()](std::size_t i) {
            return (p[i] - r[i]) * (r[i] - a[i]) + (q[i] - s[i]) * (s[i] - b[i]);
          });
      a_.swap(a_next_), b_.swap(b_next_), x_.swap(x_next_);
    }
    u_.swap(before_);
    const double next = turn > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
    beta_ = turn > 0.0 ? 0.0 : (theta_ - 1.0) / next;
    theta_ = next;
  }

  void state(claros::StateVisitor& v) {
    v("u", u_), v("before", before_);
    v("t", t_), v("theta", theta_), v("beta", beta_);
    v.require(t_ >= 0.0 && std::isfinite(t_), "t", "no length");
    v.require(u_.size() == before_.size(), "before", "not of the size of u");
    v.require(claros::sdk::all_finite(u_) && claros::sdk::all_finite(before_), "u", "not finite");
    v.require(theta_ >= 1.0 && beta_ >= 0.0 && beta_ < 1.0, "theta", "no momentum");
  }

 private:
  /// a, b, x <- column j of m and of x(m); `left` is b of the column before it, if any.
  void primal_column(std::span<const double> v, std::size_t j, std::span<const double> left,
                     std::vector<double>& a, std::vector<double>& b, std::vector<double>& x) const {
    const std::size_t size = m_ * n_;
    const double *u = u_.data() + j * m_, *w = before_.data() + j * m_, *from = v.data() + j * m_;
    double *p = a.data(), *q = b.data(), *to = x.data();
#pragma GCC ivdep
    for (std::size_t i = 0; i < m_; ++i) p[i] = u[i] + beta_ * (u[i] - w[i]);
#pragma GCC ivdep
    for (std::size_t i = 0; i < m_; ++i) q[i] = u[size + i] + beta_ * (u[size + i] - w[size + i]);
#pragma GCC ivdep
    for (std::size_t i = 0; i < m_; ++i) to[i] = from[i] + p[i] + q[i];
    for (std::size_t i = 0; i < left.size(); ++i) to[i] -= left[i];
    for (std::size_t i = 1; i < m_; ++i) to[i] -= p[i - 1];
  }

  /// to <- P(m + D x / 8) of a column, `right` being x of the next one, or x itself at the edge.
  void ascend(std::span<const double> right, std::span<double> to_a, std::span<double> to_b) const {
    constexpr double kStep = 0.125;
    const double t = t_, least = t * t;
    const double *p = a_.data(), *q = b_.data(), *x = x_.data(), *y = right.data();
    double *r = to_a.data(), *s = to_b.data();
#pragma GCC ivdep
    for (std::size_t i = 0; i + 1 < m_; ++i) r[i] = p[i] + kStep * (x[i + 1] - x[i]);
    r[m_ - 1] = 0.0;
#pragma GCC ivdep
    for (std::size_t i = 0; i < m_; ++i) s[i] = q[i] + kStep * (y[i] - x[i]);
#pragma GCC ivdep
    for (std::size_t i = 0; i < m_; ++i) {
      const double square = r[i] * r[i] + s[i] * s[i], shrink = t / std::sqrt(std::max(square, least));
      r[i] *= shrink;
      s[i] *= shrink;
    }
  }

  std::size_t m_ = 0, n_ = 0;
  std::vector<double> u_, before_;
  double t_ = 0.0, theta_ = 1.0, beta_ = 0.0;
  std::vector<double> a_, b_, x_, a_next_, b_next_, x_next_;  ///< of two columns, at m
};

}  // namespace tv
