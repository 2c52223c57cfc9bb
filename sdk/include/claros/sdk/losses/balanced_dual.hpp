// SPDX-License-Identifier: BSD-3-Clause
/// @file balanced_dual.hpp  Dual points that several directions of the variable ask to be orthogonal to.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace claros::sdk {

/// The solution of M c = b, by elimination with row pivots; empty if M is singular. For a few unknowns.
inline std::vector<double> solve_few(std::vector<std::vector<double>> M, std::vector<double> b) {
  const std::size_t size = b.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < size; ++i)
      if (std::abs(M[i][k]) > std::abs(M[pivot][k])) pivot = i;
    std::swap(M[k], M[pivot]), std::swap(b[k], b[pivot]);
    if (!(std::abs(M[k][k]) > 0.0)) return {};
    for (std::size_t i = k + 1; i < size; ++i) {
      const double by = M[i][k] / M[k][k];
      for (std::size_t j = k; j < size; ++j) M[i][j] -= by * M[k][j];
      b[i] -= by * b[k];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t j = k + 1; j < size; ++j) b[k] -= M[k][j] * b[j];
    b[k] /= M[k][k];
  }
  return b;
}

/// u_i <- t_i u_i with t_i in [0, 1] and sum_i w_i u_i e_i = 0 for every e of the list (w empty: 1), so that
/// u stays in a convex set around 0. The t_i are in proportion to 1 + sign(u_i) <c, e_i>, with c of the least
/// norm weighted by |w u|. They are near 1 if the sums are small already. Returns false and leaves u
/// unchanged if such a t_i would be negative, or the e are dependent.
inline bool balance(std::vector<double>& u, const std::vector<double>& w,
                    const std::vector<std::vector<double>>& directions) {
  constexpr int kPasses = 2;  // the second takes off what the first has left by rounding
  const std::size_t count = directions.size();
  std::vector<double> made(u);
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<std::vector<double>> M(count, std::vector<double>(count, 0.0));
    std::vector<double> b(count, 0.0);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double share = w.empty() ? made[i] : w[i] * made[i];
      for (std::size_t k = 0; k < count; ++k) {
        b[k] -= share * directions[k][i];
        for (std::size_t l = 0; l < count; ++l)
          M[k][l] += std::abs(share) * directions[k][i] * directions[l][i];
      }
    }
    const std::vector<double> c = solve_few(std::move(M), std::move(b));
    if (c.empty()) return false;
    std::vector<double> t(made.size(), 1.0);
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t k = 0; k < count; ++k) t[i] += (made[i] < 0.0 ? -c[k] : c[k]) * directions[k][i];
    double most = 0.0;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i] == 0.0) continue;
      if (!(t[i] >= 0.0)) return false;
      most = std::max(most, t[i]);
    }
    if (!(most > 0.0) || !std::isfinite(most)) return false;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] *= t[i] / most;
  }
  u = std::move(made);
  return true;
}

/// The same for terms of K numbers each: u_i <- t_i u_i with sum_i w_i u_ik = 0 for k < `balanced`, the t_i
/// in proportion to 1 + <c, u_i> / ||u_i||_1.
inline bool balance_terms(std::vector<double>& u, const std::vector<double>& w, std::size_t K,
                          std::size_t balanced) {
  constexpr int kPasses = 2;  // the second takes off what the first has left by rounding
  const std::size_t terms = u.size() / K;
  std::vector<double> made(u), t(terms);
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<std::vector<double>> M(balanced, std::vector<double>(balanced, 0.0));
    std::vector<double> b(balanced, 0.0), size(terms, 0.0);
    for (std::size_t i = 0; i < terms; ++i) {
      const double* const row = made.data() + i * K;
      for (std::size_t k = 0; k < K; ++k) size[i] += std::abs(row[k]);
      const double share = w.empty() ? 1.0 : w[i];
      for (std::size_t k = 0; k < balanced && size[i] > 0.0; ++k) {
        b[k] -= share * row[k];
        for (std::size_t l = 0; l < balanced; ++l) M[k][l] += share * row[k] * (row[l] / size[i]);
      }
    }
    const std::vector<double> c = solve_few(std::move(M), std::move(b));
    if (c.empty()) return false;
    double most = 0.0;
    for (std::size_t i = 0; i < terms; ++i) {
      t[i] = 1.0;
      for (std::size_t k = 0; k < balanced && size[i] > 0.0; ++k) t[i] += c[k] * (made[i * K + k] / size[i]);
      if (!(t[i] >= 0.0)) return false;
      most = std::max(most, t[i]);
    }
    if (!(most > 0.0) || !std::isfinite(most)) return false;
    for (std::size_t k = 0; k < made.size(); ++k) made[k] *= t[k / K] / most;
  }
  u = std::move(made);
  return true;
}

}  // namespace claros::sdk
