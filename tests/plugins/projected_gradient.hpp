// SPDX-License-Identifier: BSD-3-Clause
/// @file projected_gradient.hpp  The optimum of a small matrix completion problem, by means that share
/// nothing with the plugins: accelerated projected gradients with full decompositions, and a dual bound.
#pragma once

#include "compose_for_test.hpp"

#include <limits>

namespace claros::test {

/// The optimum lies between `lower` and `value`.
struct Optimum {
  double value = std::numeric_limits<double>::infinity();
  double lower = -std::numeric_limits<double>::infinity();
  std::vector<double> point;
};

/// max(s - theta, 0) with the theta that makes the sum `radius`, for descending s >= 0 that sum to more.
inline void project_to_simplex(std::vector<double>& s, double radius) {
  double sum = 0.0, theta = 0.0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    sum += s[k];
    const double candidate = (sum - radius) / static_cast<double>(k + 1);
    if (s[k] > candidate) theta = candidate;
  }
  for (double& value : s) value = std::max(0.0, value - theta);
}

/// The nearest matrix of nuclear norm at most `radius`.
inline std::vector<double> project_to_ball(Index rows, Index cols, const std::vector<double>& x,
                                           double radius) {
  TruncatedSvd svd = dense_svd(rows, cols, x);
  double sum = 0.0;
  for (const double s : svd.s) sum += s;
  if (sum <= radius) return x;
  project_to_simplex(svd.s, radius);
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t k = 0; k < svd.s.size() && svd.s[k] > 0; ++k)
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i)
        y[static_cast<std::size_t>(j * rows + i)] +=
            svd.s[k] * svd.u[k * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)] *
            svd.v[k * static_cast<std::size_t>(cols) + static_cast<std::size_t>(j)];
  return y;
}

/// Restarted whenever the value rises; ends when bound and value agree to `accuracy` of the value at 0.
inline Optimum optimum(const SmallProblem& problem, double radius, double accuracy = 1e-11) {
  const Index rows = problem.ratings().rows, cols = problem.ratings().cols;
  const double step = static_cast<double>(problem.n());  // 1/L
  std::vector<double> x(static_cast<std::size_t>(rows * cols), 0.0), y = x;
  const double target = accuracy * problem.value(x);
  Optimum best{problem.value(x), -std::numeric_limits<double>::infinity(), x};
  double t = 1.0, last = best.value;
  for (int k = 0; k < 20000 && best.value - best.lower > target; ++k) {
    const std::vector<double> g = problem.gradient(y);
    std::vector<double> next = y;
    for (std::size_t e = 0; e < next.size(); ++e) next[e] -= step * g[e];
    next = project_to_ball(rows, cols, next, radius);
    const double value = problem.value(next), t_next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    const double momentum = value > last ? 0.0 : (t - 1) / t_next;
    t = value > last ? 1.0 : t_next;
    for (std::size_t e = 0; e < next.size(); ++e) y[e] = next[e] + momentum * (next[e] - x[e]);
    x = std::move(next);
    last = value;
    if (value < best.value) best.value = value, best.point = x;
    if (k % 5 == 0) best.lower = std::max(best.lower, value - problem.gap(x, radius));
  }
  return best;
}

}  // namespace claros::test
