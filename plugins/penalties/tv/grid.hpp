// SPDX-License-Identifier: BSD-3-Clause
/// @file grid.hpp  Proximal steps of the total variation of a matrix whose rows and columns both have
/// neighbours.
#pragma once

#include "dual_projection.hpp"

#include <claros/interruption.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>
#include <shared/penalties/total_variation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tv {

/// min_x t V(x) + ||x - v||^2 / 2. V(x) = sum |x_{i+1,j} - x_{i,j}| + sum |x_{i,j+1} - x_{i,j}|
/// (anisotropic), or V(x) = sum ||(x_{i+1,j} - x_{i,j}, x_{i,j+1} - x_{i,j})||, a difference beyond the edge
/// being 0 (isotropic). Any w = D'u, |u| <= t, gives x = v - w with
///     ||x - x*||^2 <= t V(x) - <x, w>,
/// the duality gap, since primal and dual are both strongly convex in x. That is the certificate.
class Grid {
 public:
  explicit Grid(bool isotropic) : isotropic_(isotropic), columns_(false), rows_(true) {}
  void fit(const claros::Shape& shape) {
    columns_.fit(shape), rows_.fit(shape);
    m_ = static_cast<std::size_t>(shape.rows);
    n_ = static_cast<std::size_t>(shape.cols);
  }
  double variation(std::span<const double> x) const {
    if (!isotropic_) return columns_.variation(x) + rows_.variation(x);
    const double top = claros::sdk::largest_magnitude(x);
    if (top < kTiny || top > kHuge) return lengths(x, [](double a, double b) { return std::hypot(a, b); });
    return lengths(x, [](double a, double b) { return std::sqrt(a * a + b * b); });
  }
  /// x may be v.
  claros::Certificate prox(std::span<const double> v, double t, std::span<double> x,
                           const claros::Accuracy& accuracy) {
    v_.assign(v.begin(), v.end());
    x_ = v_;
    if (t > 0.0 && m_ * n_ > 1 && flattens(t)) return answer(0.0, x, accuracy);
    if (isotropic_ && t > 0.0 && m_ * n_ > 1) return project(t, x, accuracy);
    double gap = 0.0;
    const auto look = [&](int k, const std::vector<double>& w) {
      gap = gap_at(t, w);
      return gap <= allowed(t, accuracy.tolerance) || rests(k, gap);
    };
    if (t > 0.0 && m_ * n_ > 1) {
      by_lines(t, [&](int k) { return look(k, sum_of_parts()); });
      last_.resize(u_.size());
      for (std::size_t e = 0; e < last_.size(); ++e) last_[e] = u_[e] / t;
    }
    return answer(gap, x, accuracy);
  }

  void state(claros::StateVisitor& v) {
    v("projection", fast_);
    v("dual point", last_);
    v.require(std::ranges::all_of(last_, [](double value) { return std::isfinite(value); }), "dual point",
              "not finite");
  }

  /// A bound on the dual norm of s, min max_e |u_e| over D'u = s: the largest |u_e| of one such u. That u is
  /// the dual point of the last proximal step, which at a solution has this s, completed by a flow of the
  /// rest. If it is far off, u comes from a few steps of the prox of s for that t. Their limit is 0 if the
  /// dual norm is at most t. The bound is infinite if there is no u, since s does not sum to 0.
  double dual_norm(std::span<const double> s, double t) {
    if (!claros::sdk::sums_to_zero(s)) return std::numeric_limits<double>::infinity();
    // s / t is what counts: with entries of about 1, no square of a flow underflows or overflows.
    const int exponent = std::ilogb(claros::sdk::largest_magnitude(s));
    v_.assign(s.begin(), s.end());
    for (double& value : v_) value = std::ldexp(value, -exponent);
    return std::ldexp(flow_bound(std::ldexp(t, -exponent)), exponent);
  }

 private:
  static constexpr int kMostSteps = 10000, kBetweenLooks = 10;  // of which the last is at the end
  // Steps for a bound on the dual norm. A bound that is far above t ends when twice the steps no longer help.
  static constexpr int kBoundSteps = 300, kFirstBound = 20;
  static constexpr double kFar = 2.0, kFalls = 0.9;
  static constexpr int kSequenceSteps = 40;               // of a step in a sequence that converges
  static constexpr double kTiny = 1e-140, kHuge = 1e140;  // of numbers whose squares are numbers

  /// The bound of `dual_norm` for v_, whose largest entry is about 1.
  double flow_bound(double t) {
    constexpr double kNear = 1.01;
    x_ = v_;
    double least = std::numeric_limits<double>::infinity();
    if (isotropic_ ? fast_.holds(2 * v_.size()) : last_.size() == 2 * v_.size()) {
      u_ = isotropic_ ? fast_.u() : last_;
      for (double& value : u_) value *= isotropic_ ? t / fast_.t() : t;
      complete();
      least = longest();
      if (least <= kNear * t) return least;
    }
    if (isotropic_ && !(t > kTiny && t < kHuge)) {  // flows of at most t are nothing beside v, or no limit
      u_.assign(2 * v_.size(), 0.0);
      complete();
      return std::min(least, longest());
    }
    double marked = std::numeric_limits<double>::infinity();
    int next = kFirstBound;
    ascend(t, [&](int k) {
      complete();
      least = std::min(least, longest());
      const bool far = k >= next && least > std::max(kFar * t, kFalls * marked);
      if (k >= next) marked = least, next = 2 * k;
      return least <= t || far || k >= kBoundSteps;
    });
    return least;
  }

  template <class Length>
  double lengths(std::span<const double> x, Length length) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      const double *here = x.data() + j * m_, *next = j + 1 < n_ ? here + m_ : here;
      sum += claros::sdk::sum_indices(
          m_ - 1, [=](std::size_t i) { return length(here[i + 1] - here[i], next[i] - here[i]); });
      sum += std::abs(next[m_ - 1] - here[m_ - 1]);
    }
    return sum;
  }

  claros::Certificate answer(double gap, std::span<double> x, const claros::Accuracy& accuracy) const {
    std::copy(x_.begin(), x_.end(), x.begin());
    claros::Certificate certificate;
    certificate.error = std::sqrt(gap);
    certificate.exact = gap <= accuracy.tolerance * accuracy.tolerance * claros::sdk::dot(x_, x_);
    return certificate;
  }

  /// True if some flow of at most t makes all entries their mean. The mean is then the result, in x_; a
  /// computation would have the rounding of numbers of size t. No entry of D'u is above 4 t.
  bool flattens(double t) {
    const double mean = claros::sdk::mean_entry(v_);
    if (std::ranges::any_of(v_, [=](double value) { return std::abs(value - mean) > 4.0 * t; })) return false;
    std::vector<double> from = v_;
    for (double& value : v_) value -= mean;
    u_.assign(2 * v_.size(), 0.0);
    complete();
    const bool flat = longest() <= t;
    if (flat && !isotropic_) {
      last_ = u_;
      for (double& value : last_) value /= t;
    }
    v_.swap(from);
    x_ = v_;
    if (flat) std::fill(x_.begin(), x_.end(), mean);
    return flat;
  }

  /// The isotropic step, from the end of the last one. In a sequence that converges it ends after a few
  /// steps, or when its error is a few hundredths of the move of x. The next ones go on.
  claros::Certificate project(double t, std::span<double> x, const claros::Accuracy& accuracy) {
    constexpr double kShare = 0.03;
    const double top = claros::sdk::largest_magnitude(v_);
    if (!(t > kTiny && t < kHuge && top < kHuge)) return scaled(t, top, x, accuracy);
    fast_.start(m_, n_, t, accuracy.sequence);
    double gap = 0.0;
    std::vector<double> first;
    for (int k = 0;; ++k) {
      if (k % kBetweenLooks == 0) {
        claros::Interruption::poll();
        primal(fast_.u());
        gap = gap_at(t, w_);
        if (gap <= allowed(t, accuracy.tolerance) || rests(k, gap) || k >= kMostSteps) break;
        if (accuracy.sequence && k == 0) first = x_;
        if (accuracy.sequence && (k >= kSequenceSteps || gap <= kShare * kShare * squared_distance(first)))
          break;
      }
      fast_.step(v_);
    }
    return answer(gap, x, accuracy);
  }
  /// Scales numbers whose squares overflow or underflow by a power of 2 for which t is about 1. Beyond that x
  /// is v: D'u moves each entry by at most 4 t.
  claros::Certificate scaled(double t, double top, std::span<double> x, const claros::Accuracy& accuracy) {
    const int exponent = std::ilogb(t);
    if (!(top < std::ldexp(kHuge, std::min(exponent, 0))))
      return answer(16.0 * t * t * static_cast<double>(x.size()), x, accuracy);
    for (double& value : v_) value = std::ldexp(value, -exponent);
    claros::Certificate certificate = project(std::ldexp(t, -exponent), x, accuracy);
    for (double& value : x) value = std::ldexp(value, exponent);
    certificate.error = std::ldexp(certificate.error, exponent);
    return certificate;
  }
  double squared_distance(const std::vector<double>& from) const {
    return claros::sdk::sum_indices(
        x_.size(), [a = x_.data(), b = from.data()](std::size_t k) { return (a[k] - b[k]) * (a[k] - b[k]); });
  }

  /// Ascent of the dual from 0 until look(k) says so; u_ is the dual point at each look.
  template <class Look>
  void ascend(double t, const Look& look) {
    if (isotropic_)
      by_pixels(t, look);
    else
      by_lines(t, look);
  }

  /// Accelerated block ascent of the dual: p = v - q - prox_columns(v - q), q+ = v - p - prox_rows(v - p),
  /// each exact, with momentum on q. Momentum begins anew when it turns against the step. Without momentum
  /// this is Dykstra's method. (Barbero, Sra 2018, section 4; Chambolle, Pock 2015: gap of the order of
  /// 1/k^2.)
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

  /// From 0, with a gap check after every few steps.
  template <class Look>
  void by_pixels(double t, const Look& look) {
    DualProjection fast;
    fast.start(m_, n_, t, false);
    for (int k = 0; k <= kMostSteps; ++k) {
      fast.step(v_);
      if (k % kBetweenLooks != 0) continue;
      claros::Interruption::poll();
      u_ = fast.u();
      if (look(k)) return;
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

  /// Adds to u a flow that makes D'u = v. An equal share of the sum of each column of v - D'u flows along
  /// each row, and the rest down the column.
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
    const double top = claros::sdk::largest_magnitude(u_);
    if (!isotropic_) return top;
    double most = 0.0;
    const bool plain = top > kTiny && top < kHuge;
    for (std::size_t e = 0; e < size; ++e)
      most = std::max(most,
                      plain ? u_[e] * u_[e] + u_[size + e] * u_[size + e] : std::hypot(u_[e], u_[size + e]));
    return plain ? std::sqrt(most) : most;
  }

  /// w_ <- D'u, x <- v - w_.
  void primal(const std::vector<double>& u) {
    const std::size_t size = v_.size();
    w_.resize(size);
    const double *down = u.data(), *right = u.data() + size;
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t from = j * m_;
      double *w = w_.data() + from, *x = x_.data() + from;
      const double *v = v_.data() + from, *a = down + from, *b = right + from;
      // The flow beyond an edge is 0, and stored so.
      for (std::size_t i = 0; i < m_; ++i) w[i] = -(a[i] + b[i]);
      for (std::size_t i = 1; i < m_; ++i) w[i] += a[i - 1];
      if (j > 0)
        for (std::size_t i = 0; i < m_; ++i)
          w[i] += b[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(m_)];
      for (std::size_t i = 0; i < m_; ++i) x[i] = v[i] - w[i];
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
    const double* x = x_.data();
    const double product = claros::sdk::dot(x_, w),
                 rounding = claros::sdk::sum_indices(
                     w.size(), [x, d = w.data()](std::size_t e) { return std::abs(x[e] * d[e]); });
    const double total = t * variation(x_);
    return std::max(total - product, 0.0) + kRounding * (total + rounding);
  }
  double allowed(double t, double tolerance) const {
    const double size = claros::sdk::dot(x_, x_);
    return std::max(tolerance * tolerance * size, 4.0 * kRounding * (t * variation(x_) + size));
  }
  /// True if the gap, which falls like 1/k^2 or faster, has not even been halved while the steps were
  /// doubled: only rounding is left.
  bool rests(int k, double gap) {
    if (k == 0) marked_ = 0;
    if (k < 2 * marked_ || k < 4 * kBetweenLooks) return false;
    const bool stays = marked_ > 0 && !(gap <= 0.5 * marked_gap_);
    marked_ = k;
    marked_gap_ = gap;
    return stays;
  }
  static constexpr double kRounding = 1e-15;

  bool isotropic_;
  claros::sdk::Lines columns_, rows_;
  std::size_t m_ = 0, n_ = 0;
  std::vector<double> v_, x_, w_;
  DualProjection fast_;       ///< of the isotropic steps
  std::vector<double> last_;  ///< the dual point of the last anisotropic step, over its t
  std::vector<double> u_;     ///< the dual point: differences downwards, then those to the right
  int marked_ = 0;            ///< a step, and the gap there
  double marked_gap_ = 0.0;
};

}  // namespace tv
