// SPDX-License-Identifier: BSD-3-Clause
/// @file column_descent.hpp  Exact minimisation of <S, X> - log det X + h(X) over one row and column.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

// For wider processors than the baseline too; without contraction all make the same bits.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLAROS_WIDE_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLAROS_WIDE_LOOP
#endif

/// y += c x
CLAROS_WIDE_LOOP inline void add(std::size_t count, double c, const double* __restrict x,
                                 double* __restrict y) {
  for (std::size_t k = 0; k < count; ++k) y[k] += c * x[k];
}
/// z += c x + d y
CLAROS_WIDE_LOOP inline void add_two(std::size_t count, double c, const double* __restrict x, double d,
                                     const double* __restrict y, double* __restrict z) {
  for (std::size_t k = 0; k < count; ++k) z[k] += c * x[k] + d * y[k];
}
#undef CLAROS_WIDE_LOOP

/// X, S and W = X^{-1} are symmetric, p x p, column-major. Let a = X_{-j,j}, t = X_jj, w = W_{-j,j}, and
///     Q = (X_{-j,-j})^{-1} = W_{-j,-j} - w w'/W_jj.
/// Then log det X = log(t - a'Qa) + const. The best t is 1/s + a'Qa, s = S_jj + the slope of h_jj. The best a
/// minimises
///     (s/2) a'Qa + <S_{-j,j}, a> + sum_i h_ij(a_i),
/// a Lasso if h is an l1 norm. W_jj is s then, W_{-j,j} = -s Qa, W_{-j,-j} = Q + s Qa a'Q.
class ColumnDescent {
 public:
  ColumnDescent(std::span<const double> S, claros::BlockStep step, std::vector<double> slopes)
      : S_(S),
        step_(step),
        slopes_(std::move(slopes)),
        p_(slopes_.size()),
        a_(p_),
        r_(p_),
        q_(p_),
        old_(p_) {}

  /// Column j of X and of W. Returns the number of entries that were minimised, one by one.
  claros::Index minimise(std::size_t j, std::span<double> X, std::span<double> W) {
    const double s = S_[j * p_ + j] + slopes_[j], w_jj = W[j * (p_ + 1)];
    if (!(s > 0.0) || !(w_jj > 0.0)) return 0;
    start(j, s, X, W);
    const int sweeps = descend(j, s, w_jj, W);
    // t - a'Qa = 1/s holds where the column was minimised before.
    if (has_moved_ || std::abs(w_jj - s) > kSame * s) finish(j, s, w_jj, X, W);
    return sweeps * static_cast<claros::Index>(p_);
  }

 private:
  static constexpr double kForcing = 0.05, kSame = 1e-14;
  static constexpr int kMostSweeps = 30;

  std::span<const double> column(std::span<const double> A, std::size_t j) const {
    return A.subspan(j * p_, p_);
  }
  /// a, with 0 in place j; r = S_{.,j} + s W a; <w, a>.
  void start(std::size_t j, double s, std::span<const double> X, std::span<const double> W) {
    const auto x = column(X, j), w = column(W, j);
    std::ranges::copy(x, a_.begin());
    std::ranges::copy(w, old_.begin());
    a_[j] = 0.0;
    // W X = 1, so that W a = e_j - X_jj w.
    for (std::size_t k = 0; k < p_; ++k) r_[k] = S_[j * p_ + k] - s * x[j] * w[k];
    r_[j] += s;
    share_ = 1.0 - x[j] * w[j];
  }
  /// Coordinate descent; the slope of entry k is r_k - s w_k <w, a> / W_jj.
  int descend(std::size_t j, double s, double w_jj, std::span<const double> W) {
    double first = 0.0;
    has_moved_ = false;
    for (int sweep = 0;; ++sweep) {
      double most = 0.0;
      for (std::size_t k = 0; k < p_; ++k) {
        if (k == j) continue;
        const double curvature = s * (W[k * (p_ + 1)] - old_[k] * old_[k] / w_jj);
        if (!(curvature > 0.0)) continue;
        const double slope = r_[k] - s * old_[k] * share_ / w_jj, v = a_[k] - slope / curvature;
        double to = v;
        if (step_.function) step_(static_cast<claros::Index>(j * p_ + k), &v, 1.0 / curvature, &to);
        const double move = to - a_[k];
        if (move == 0.0) continue;
        a_[k] = to;
        add(p_, s * move, &W[k * p_], r_.data());
        share_ += move * old_[k];
        most = std::max(most, std::abs(move) * std::sqrt(curvature));
        has_moved_ = true;
      }
      if (sweep == 0) first = most;
      if (most <= kForcing * first || sweep + 1 == kMostSweeps) return sweep + 1;
    }
  }
  /// q = Qa without place j, t, and the update of W by two outer products.
  void finish(std::size_t j, double s, double w_jj, std::span<double> X, std::span<double> W) {
    for (std::size_t k = 0; k < p_; ++k) q_[k] = (r_[k] - S_[j * p_ + k]) / s - old_[k] * share_ / w_jj;
    q_[j] = 0.0;
    a_[j] = 1.0 / s + claros::sdk::dot(a_, q_);
    for (std::size_t k = 0; k < p_; ++k) X[j * p_ + k] = X[k * p_ + j] = a_[k];
    for (std::size_t k = 0; k < p_; ++k) {
      if (k == j || (old_[k] == 0.0 && q_[k] == 0.0)) continue;
      add_two(p_, -old_[k] / w_jj, old_.data(), s * q_[k], q_.data(), &W[k * p_]);
    }
    for (std::size_t k = 0; k < p_; ++k) W[j * p_ + k] = W[k * p_ + j] = k == j ? s : -s * q_[k];
  }

  std::span<const double> S_;
  claros::BlockStep step_;
  std::vector<double> slopes_;
  std::size_t p_;
  std::vector<double> a_, r_, q_, old_;  ///< old_: w
  double share_ = 0.0;                   ///< <w, a>
  bool has_moved_ = false;               ///< an entry of the column
};
