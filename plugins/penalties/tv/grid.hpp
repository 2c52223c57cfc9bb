// SPDX-License-Identifier: BSD-3-Clause
/// @file grid.hpp  Proximal steps of the total variation of a matrix whose rows and columns both have
/// neighbours.
#pragma once

#include <claros/proximal_oracle.hpp>
#include <claros/sdk/penalties/total_variation.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
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
    const auto look = [&](int k, const std::vector<double>& w) {
      gap = gap_at(t, w);
      return gap <= allowed(t, accuracy.tolerance) || rests(k, gap);
    };
    if (t > 0.0 && m_ * n_ > 1) {
      ascend(t, [&](int k) { return look(k, sum_of_parts()); });
      last_.resize(u_.size());
      for (std::size_t e = 0; e < last_.size(); ++e) last_[e] = u_[e] / t;
    }
    for (const double value : x_) size += value * value;
    std::copy(x_.begin(), x_.end(), x.begin());
    claros::Certificate certificate;
    certificate.error = std::sqrt(gap);
    certificate.exact = gap <= accuracy.tolerance * accuracy.tolerance * size;
    return certificate;
  }

  void state(claros::StateVisitor& v) {
    v("dual point", last_);
    v.require(std::ranges::all_of(last_, [](double value) { return std::isfinite(value); }), "dual point",
              "not finite");
  }

  /// A bound on the dual norm of s, min max_e |u_e| over D'u = s: that of one such u. It is the dual point of
  /// the last proximal step, which at a solution has this s, completed by a flow of what it lacks; where that
  /// is far off, that of a few steps of the prox of s for that t, whose limit is 0 where the dual norm is at
  /// most t. Infinite where no u is, since s does not sum to 0.
  double dual_norm(std::span<const double> s, double t) {
    constexpr double kNear = 1.01;
    if (!claros::sdk::sums_to_zero(s)) return std::numeric_limits<double>::infinity();
    v_.assign(s.begin(), s.end());
    x_ = v_;
    double least = std::numeric_limits<double>::infinity();
    if (last_.size() == 2 * s.size()) {
      u_ = last_;
      for (double& value : u_) value *= t;
      complete();
      least = longest();
      if (least <= kNear * t) return least;
    }
    ascend(t, [&](int k) {
      complete();
      least = std::min(least, longest());
      return least <= t || k >= kBoundSteps;
    });
    return least;
  }

 private:
  static constexpr int kMostSteps = 10000, kBetweenLooks = 10;  // of which the last is at the end
  static constexpr int kBoundSteps = 300;

  /// Ascent of the dual from 0 until look(k) says so; u_ is the dual point at each look.
  template <class Look>
  void ascend(double t, const Look& look) {
    if (isotropic_)
      by_pixels(t, look);
    else
      by_lines(t, look);
  }

  /// Accelerated block ascent of the dual: p = v - q - prox_columns(v - q), q+ = v - p - prox_rows(v - p),
  /// each exact, with momentum on q that begins anew where it turns against the step. Without momentum this
  /// is Dykstra's method. (Barbero, Sra 2018, section 4; Chambolle, Pock 2015: gap of the order of 1/k^2.)
  template <class Look>
  void by_lines(double t, const Look& look) {
    const std::size_t size = v_.size();
    std::vector<double> q(size, 0.0), momentum(size, 0.0), last(size, 0.0), w(size);
    double theta = 1.0;
    for (int k = 0; k <= kMostSteps; ++k) {
      for (std::size_t e = 0; e < size; ++e) w[e] = v_[e] - momentum[e];
      columns_.prox(w, t, x_);
      for (std::size_t e = 0; e < size; ++e) w[e] -= x_[e];  // p
      for (std::size_t e = 0; e < size; ++e) x_[e] = v_[e] - w[e];
      rows_.prox(x_, t, x_);
      last.swap(q);
      for (std::size_t e = 0; e < size; ++e) q[e] = v_[e] - w[e] - x_[e];
      if (k % kBetweenLooks == 0) {
        u_.resize(2 * size);
        flow_down(w), flow_right(q);
        if (look(k)) return;
      }
      theta = extrapolate(q, last, momentum, theta);
    }
  }

  /// Fast gradient projection on the dual, of step 1/8: u+ = P(u + D(v - D'u)/8), P onto |u_ij| <= t. (Beck,
  /// Teboulle 2009, IEEE Trans. Image Processing 18.)
  template <class Look>
  void by_pixels(double t, const Look& look) {
    const std::size_t size = v_.size();
    std::vector<double> u(2 * size, 0.0), momentum(u), last(u);
    double theta = 1.0;
    for (int k = 0; k <= kMostSteps; ++k) {
      primal(momentum);
      last.swap(u);
      for (std::size_t e = 0; e < size; ++e) {
        const double a = momentum[e] + 0.125 * down(x_, e), b = momentum[size + e] + 0.125 * right(x_, e),
                     length = std::hypot(a, b);
        const double shrink = length > t ? t / length : 1.0;
        u[e] = shrink * a, u[size + e] = shrink * b;
      }
      if (k % kBetweenLooks == 0) {
        primal(u);
        u_ = u;
        if (look(k)) return;
      }
      theta = extrapolate(u, last, momentum, theta);
    }
  }

  /// The flow along the columns, or the rows, whose divergence is p: of lines that sum to 0, as those of a
  /// dual point do.
  void flow_down(const std::vector<double>& p) {
    for (std::size_t e = 0; e < p.size(); ++e)
      u_[e] = e % m_ + 1 < m_ ? (e % m_ == 0 ? 0.0 : u_[e - 1]) - p[e] : 0.0;
  }
  void flow_right(const std::vector<double>& q) {
    const std::size_t size = q.size();
    for (std::size_t e = 0; e < size; ++e)
      u_[size + e] = e + m_ < size ? (e < m_ ? 0.0 : u_[size + e - m_]) - q[e] : 0.0;
  }

  /// w_ = D'u, x = v - w.
  const std::vector<double>& sum_of_parts() {
    primal(u_);
    return w_;
  }

  /// Adds to u what makes D'u = v: of the sum of each column of v - D'u an equal share flows along each row,
  /// and the rest down the column.
  void complete() {
    primal(u_);
    const std::size_t size = v_.size();
    double carried = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i < m_; ++i) sum += x_[j * m_ + i];
      const double share = sum / static_cast<double>(m_);
      carried += share;
      double flow = 0.0;
      for (std::size_t i = 0; i < m_; ++i) {
        const std::size_t e = j * m_ + i;
        flow += x_[e] - share;
        if (i + 1 < m_) u_[e] -= flow;
        if (j + 1 < n_) u_[size + e] -= carried;
      }
    }
  }
  double longest() const {
    const std::size_t size = v_.size();
    double most = 0.0;
    for (std::size_t e = 0; e < size; ++e)
      most = std::max(most, isotropic_ ? std::hypot(u_[e], u_[size + e])
                                       : std::max(std::abs(u_[e]), std::abs(u_[size + e])));
    return most;
  }

  /// w_ <- D'u, x <- v - w_.
  void primal(const std::vector<double>& u) {
    const std::size_t size = v_.size();
    w_.resize(size);
    std::vector<double>& w = w_;
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
  std::vector<double> v_, x_, w_;
  std::vector<double> last_;  ///< the dual point of the last proximal step, over its t
  std::vector<double> u_;     ///< the dual point: differences downwards, then those to the right
  int marked_ = 0;            ///< a step, and the gap there
  double marked_gap_ = 0.0;
};

}  // namespace tv
