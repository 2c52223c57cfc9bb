// SPDX-License-Identifier: BSD-3-Clause
/// @file support_newton.hpp  Newton steps on the coordinates that are not 0.
#pragma once

#include "slopes.hpp"

#include <claros/abilities.hpp>
#include <shared/algorithms/support_factor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

/// A semismooth Newton step for F(x) = x - prox_{s h}(x - s g) = 0, g = G x + b, h a sum over coordinates.
/// (Li, Sun, Toh: A highly efficient semismooth Newton augmented Lagrangian method for solving Lasso
/// problems, SIAM J. Optim. 2018, section 3.1, whose P is that of l1.) S has the x_j != 0 whose proximal step
/// has a slope P_j > 0 there:
///   (G_SS + diag((1 - P_j) / (s_j P_j)) + mu I) d_S = -F_S / (s P),   d = 0 elsewhere.
/// The damping mu grows if steps are cut short and falls if they are whole (Levenberg 1944; Marquardt 1963).
class SupportNewton {
 public:
  /// G is of `rows` rows. Coordinates of h come first, `penalised` of them; `step` is h's.
  void start(claros::Index rows, std::span<const double> steps, claros::Index penalised,
             const claros::BlockStep& step) {
    rows_ = rows;
    steps_ = steps;
    penalised_ = penalised;
    step_ = step;
    damping_ = 0.0;
  }
  /// Before the first of several steps with one G: nothing is left of those before but the damping.
  void begin() { factor_ = {}; }
  /// mu over the mean of 1 / s; the only state from one `begin` to the next.
  double& damping() noexcept { return damping_; }

  /// True if there is a direction from x.
  bool aim(const GramSlopes& slopes, std::span<const double> x) {
    constexpr int kTries = 3;
    support_.clear(), extra_.clear(), right_.clear();
    for (std::size_t j = 0; j < x.size(); ++j) add(j, x[j], slopes.g[j]);
    if (support_.empty()) return false;
    const bool curved = std::any_of(extra_.begin(), extra_.end(), [](double e) { return e > 0.0; });
    if (size() >= rows_ && !curved) damping_ = std::max(damping_, kLeast);
    double mean = 0.0;
    for (const claros::Index j : support_) mean += 1.0 / steps_[claros::at(j)] / static_cast<double>(size());
    for (int k = 0; k < kTries; ++k, damp()) {
      std::vector<double> extra(extra_);
      for (double& e : extra) e += damping_ * mean;
      auto d = factor_.solve(slopes.gram, static_cast<claros::Index>(x.size()), support_, extra, right_);
      if (!d) continue;
      d_ = *std::move(d);
      return true;
    }
    return false;
  }
  /// x <- x + a d, a the first of 1, 1/2, 1/4, ... for which f + h falls, with the slopes there. Where no
  /// entry is cut off at 0, f + h may stay as it is to rounding. A point so far away that its value is
  /// rounding, as a singular Gram matrix has them, counts if it falls by more. Returns false if no step
  /// falls. `penalty` gives h of an array.
  template <class Penalty>
  bool descend(GramSlopes& slopes, std::vector<double>& x, const Penalty& penalty) {
    constexpr int kMostCuts = 20;
    constexpr double kRounding = 1e-14, kUnits = 4.0 * std::numeric_limits<double>::epsilon(), kSlight = 1e-8;
    const double here = slopes.value(x, slopes.g) + penalty(x);
    double a = 1.0;
    for (int cut = 0; cut < kMostCuts; ++cut, a *= 0.5) {
      const bool whole = point(x, a, candidate_) == 0 && cut == 0;
      std::vector<double> there = slopes.product(candidate_, 1.0);
      const double value = slopes.value(candidate_, there) + penalty(candidate_);
      if (!(value < here || (whole && value <= here + kRounding * std::abs(here)))) continue;
      const double lost = kUnits * slopes.largest_terms(candidate_);
      if (lost > kSlight * std::abs(here) && !(value < here - lost)) continue;
      x = candidate_;
      slopes.g = std::move(there);
      if (cut >= 2) damp();
      if (cut == 0) damping_ = damping_ > kLeast ? damping_ / kFactor : 0.0;
      return true;
    }
    damp();
    return false;
  }
  claros::Index size() const noexcept { return static_cast<claros::Index>(support_.size()); }

 private:
  static constexpr double kLeast = 1e-3, kFactor = 4.0;
  void damp() { damping_ = std::max(kLeast, kFactor * damping_); }

  /// to <- x + a d, with 0 in place of entries that would cross a corner of h at 0; how many those are.
  claros::Index point(std::span<const double> x, double a, std::vector<double>& to) const {
    to.assign(x.begin(), x.end());
    claros::Index crossed = 0;
    for (std::size_t k = 0; k < support_.size(); ++k) {
      const auto j = claros::at(support_[k]);
      to[j] = x[j] + a * d_[k];
      if (!(to[j] * x[j] < 0.0) || support_[k] >= penalised_) continue;
      const double beyond = 1e-9 * to[j];
      double kept = beyond;
      step_(support_[k], &beyond, steps_[j], &kept);
      if (kept == 0.0) to[j] = 0.0, ++crossed;
    }
    return crossed;
  }

  /// P by a difference on the side away from 0: exact where the proximal step is linear there.
  void add(std::size_t j, double x, double g) {
    constexpr double kReach = 1e-6, kOne = 1e-8, kFlat = 1e-3;
    const auto index = static_cast<claros::Index>(j);
    const double s = steps_[j], v = x - s * g;
    const bool free = index >= penalised_;
    if (s == 0.0 || (!free && x == 0.0)) return;
    double to = v, further = v, P = 1.0;
    if (!free) {
      const double beyond = v * (1.0 + kReach);
      step_(index, &v, s, &to);
      step_(index, &beyond, s, &further);
      P = v == 0.0 ? 0.0 : (further - to) / (beyond - v);
      if (to == 0.0 || !(P > kFlat)) return;
      if (std::abs(P - 1.0) < kOne) P = 1.0;
    }
    support_.push_back(index);
    extra_.push_back((1.0 - P) / (s * P));
    right_.push_back((to - x) / (s * P));
  }

  std::span<const double> steps_;
  claros::Index rows_ = 0, penalised_ = 0;
  claros::BlockStep step_;
  claros::SupportFactor factor_;
  std::vector<claros::Index> support_;
  std::vector<double> extra_, right_, d_, candidate_;
  double damping_ = 0.0;
};
