// SPDX-License-Identifier: BSD-3-Clause
/// @file simplex_program.hpp  Convex quadratic programs over the weights of a convex combination.
#pragma once

#include <claros/sdk/entries.hpp>
#include <shared/algorithms/support_factor.hpp>
#include <shared/sets/water_level.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace claros::sdk {

/// out <- sum_k d_k M_k, the columns of an array, which start `stride` numbers apart; those of d_k = 0 are
/// not read.
inline void combine_columns(std::span<const double> M, std::size_t stride, std::span<const double> d,
                            std::span<double> out) {
  constexpr std::size_t kTogether = 4;
  const std::size_t n = out.size();
  std::fill(out.begin(), out.end(), 0.0);
  std::size_t which[kTogether], count = 0;
  const auto add = [&] {
    for (std::size_t k = count; k < kTogether; ++k) which[k] = which[0];
    const double a = d[which[0]], b = count > 1 ? d[which[1]] : 0.0, c = count > 2 ? d[which[2]] : 0.0,
                 e = count > 3 ? d[which[3]] : 0.0;
    const double *p = M.data() + which[0] * stride, *q = M.data() + which[1] * stride,
                 *r = M.data() + which[2] * stride, *s = M.data() + which[3] * stride;
    double* to = out.data();
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) to[i] += (a * p[i] + b * q[i]) + (c * r[i] + e * s[i]);
    count = 0;
  };
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (d[k] == 0.0) continue;
    which[count++] = k;
    if (count == kTogether) add();
  }
  if (count > 0) add();
}

/// min over w >= 0, sum w = 1, of q(w) = <b, w> + <w, M w> / 2, M positive semidefinite. Gradient projection
/// along the projected arc, with the lengths of Barzilai and Borwein, finds the face. A Newton step on it,
/// projected or cut when a weight comes to 0, finds its minimum. Every step lowers q. (More, Toraldo: On the
/// solution of large quadratic programming problems with bound constraints, SIAM J. Optim. 1, 1991; the cut
/// is that of Wolfe: Finding the nearest point in a polytope, Mathematical Programming 11, 1976.)
class SimplexProgram {
 public:
  /// Minimises from a feasible w until <s, w> - min s, which bounds q(w) - min q, is at most `tolerance` or
  /// rounding. The gradient s is M w + b, up to a constant, and changes with w. M is symmetric, with w.size()
  /// squared numbers. Returns true if w moved.
  bool operator()(std::span<const double> M, std::span<double> w, std::span<double> s, double tolerance) {
    const std::size_t m = w.size();
    if (m < 2 || !all_finite(s)) return false;
    M_ = M;
    w_ = w;
    s_ = s;
    y_.resize(m), d_.resize(m), p_.resize(m);
    double largest = 0.0;
    for (std::size_t k = 0; k < m; ++k) largest = std::max(largest, M[k * m + k]);
    if (!std::isfinite(largest)) return false;
    if (largest == 0.0) return to_best();
    length_ = 1.0 / largest;
    ridge_ = kRidge * largest;
    rounding_ = kUnits * std::numeric_limits<double>::epsilon() * largest_magnitude(s);
    centre();
    factor_ = {};
    bool moved = false;
    for (int round = 0; round < kMostRounds && gap() > std::max(tolerance, rounding_); ++round) {
      const bool projected = project(), solved = solve_face();
      moved |= projected || solved;
      if (!projected && !solved) break;
      centre();
    }
    return moved;
  }

 private:
  static constexpr int kMostRounds = 200, kProjections = 8, kHalvings = 40, kCuts = 20;
  /// The error of a gap is some units of the largest score.
  static constexpr double kRidge = 1e-13, kEnough = 0.1, kUnits = 16.0;

  double gap() const { return dot(s_, w_) - *std::ranges::min_element(s_); }
  /// s <- s - <s, w>, which changes no direction of the simplex: a large mean would cost the digits of the
  /// differences.
  void centre() {
    const double mean = dot(s_, w_);
    for (double& score : s_) score -= mean;
  }

  /// q is linear.
  bool to_best() {
    const auto best = static_cast<std::size_t>(std::ranges::min_element(s_) - s_.begin());
    if (w_[best] == 1.0 || !(gap() > 0.0)) return false;
    std::fill(w_.begin(), w_.end(), 0.0);
    w_[best] = 1.0;
    return true;
  }

  /// d = y - w, p = M d; the slope <s, d> and the curvature <d, M d>.
  struct Move {
    double slope, curvature;
    double change() const { return slope + 0.5 * curvature; }
  };
  Move move_to_y() {
    for (std::size_t k = 0; k < w_.size(); ++k) d_[k] = y_[k] - w_[k];
    combine_columns(M_, p_.size(), d_, p_);
    return {dot(s_, d_), std::max(dot(d_, p_), 0.0)};
  }
  void take() {
    std::copy(y_.begin(), y_.end(), w_.begin());
    for (std::size_t k = 0; k < s_.size(); ++k) s_[k] += p_[k];
  }

  /// y = P(w - t s), t shortened until q falls by a share of its slope.
  std::optional<Move> arc() {
    for (int k = 0; k < kHalvings; ++k) {
      for (std::size_t j = 0; j < y_.size(); ++j) y_[j] = w_[j] - length_ * s_[j];
      project_to_simplex(y_, 1.0, y_);
      const Move move = move_to_y();
      if (!(move.slope < 0.0)) return std::nullopt;
      if (move.change() <= kEnough * move.slope) return move;
      length_ *= std::clamp(-move.slope / move.curvature, 0.1, 0.5);
    }
    return std::nullopt;
  }

  /// Until the face stays, or the steps gain little.
  bool project() {
    double most = 0.0;
    for (int k = 0; k < kProjections; ++k) {
      const auto move = arc();
      if (!move) return k > 0;
      bool stays = true;
      for (std::size_t j = 0; j < y_.size(); ++j) stays &= (y_[j] > 0.0) == (w_[j] > 0.0);
      const double square = dot(d_, d_), fall = -move->change();
      length_ = move->curvature > 0.0 ? square / move->curvature : 2.0 * length_;
      take();
      if (stays || fall < kEnough * most) return true;
      most = std::max(most, fall);
    }
    return true;
  }

  /// Newton steps on the face of the positive weights, which loses those that a step takes to 0.
  bool solve_face() {
    bool moved = false;
    for (int k = 0; k < kCuts; ++k) {
      if (!newton()) return moved;
      const std::vector<double> direction(d_);
      for (std::size_t j = 0; j < y_.size(); ++j) y_[j] = std::max(w_[j] + d_[j], 0.0);
      const bool whole = std::ranges::none_of(face_, [&](Index j) { return y_[at(j)] == 0.0; });
      project_to_simplex(y_, 1.0, y_);
      Move move = move_to_y();
      if (!(move.slope < 0.0 && move.change() <= kEnough * move.slope)) move = cut(direction);
      if (!(move.slope < 0.0 && move.change() < 0.0)) return moved;
      take();
      moved = true;
      if (whole) return moved;
    }
    return moved;
  }

  /// y = w + a d, a at most where a weight comes to 0 and where q is least.
  Move cut(std::span<const double> d) {
    double longest = std::numeric_limits<double>::infinity();
    for (const Index j : face_)
      if (d[at(j)] < 0.0) longest = std::min(longest, w_[at(j)] / -d[at(j)]);
    combine_columns(M_, p_.size(), d, p_);
    const double slope = dot(s_, d), curvature = dot(d, p_);
    const double a = curvature > 0.0 ? std::min(longest, -slope / curvature) : longest;
    if (!(slope < 0.0) || !std::isfinite(a)) return {0.0, 0.0};
    for (std::size_t j = 0; j < y_.size(); ++j) y_[j] = std::max(w_[j] + a * d[j], 0.0);
    for (const Index j : face_)
      if (d[at(j)] < 0.0 && a >= w_[at(j)] / -d[at(j)]) y_[at(j)] = 0.0;
    const double sum = sum_entries(y_, [](double weight) { return weight; });
    for (double& weight : y_) weight /= sum;  // else the rounding of many cuts adds up
    return move_to_y();
  }

  /// d = argmin of q(w + d) over sum d = 0 on the face, 0 elsewhere.
  bool newton() {
    face_.clear(), right_.clear();
    for (std::size_t j = 0; j < w_.size(); ++j)
      if (w_[j] > 0.0) face_.push_back(static_cast<Index>(j));
    if (face_.size() < 2) return false;
    double mean = 0.0;
    for (const Index j : face_) mean += s_[at(j)] / static_cast<double>(face_.size());
    for (const Index j : face_) right_.push_back(mean - s_[at(j)]);
    const std::vector<double> extra(face_.size(), ridge_), ones(face_.size(), 1.0);
    const auto count = static_cast<Index>(w_.size());
    const auto a = factor_.solve(M_, count, face_, extra, right_),
               b = a ? factor_.solve(M_, count, face_, extra, ones) : std::nullopt;
    if (!b) return false;
    const auto sum = [](const std::vector<double>& v) { return sum_entries(v, [](double x) { return x; }); };
    const double share = sum(*a) / sum(*b);
    if (!std::isfinite(share)) return false;
    std::fill(d_.begin(), d_.end(), 0.0);
    for (std::size_t k = 0; k < face_.size(); ++k) d_[at(face_[k])] = (*a)[k] - share * (*b)[k];
    return all_finite(d_);
  }

  std::span<const double> M_;
  std::span<double> w_, s_;
  std::vector<double> y_, d_, p_, right_;
  std::vector<Index> face_;
  SupportFactor factor_;
  double length_ = 1.0, ridge_ = 0.0, rounding_ = 0.0;
};

}  // namespace claros::sdk
