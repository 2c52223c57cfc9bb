// SPDX-License-Identifier: BSD-3-Clause
#include "by_hand.hpp"

#include "problems.hpp"

#include <claros/random.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

namespace bench {

using namespace claros;

namespace {

double soft(double v, double t) { return v - std::min(std::max(v, -t), t); }

/// `count` steps x <- soft(x - sd, t).
double advanced(double x, Index count, double sd, double t) {
  while (count > 0) {
    const double next = soft(x - sd, t);
    if (next == x || count == 1) return next;
    const double move = next - x, left = x * next > 0.0 && move * x < 0.0 ? std::floor(-x / move)
                                         : x * next > 0.0                 ? 1e18
                                                                          : 1.0;
    const Index n = std::max<Index>(1, static_cast<Index>(std::min(left, static_cast<double>(count))));
    x = n == 1 ? next : x + static_cast<double>(n) * move;
    count -= n;
  }
  return x;
}

}  // namespace

double lagged_svrg_by_hand(const Design& design, double lambda, double s, Index batch, Index steps) {
  const auto rows = std::get<SparseRows<double>>(design.entries).view();
  const auto p = static_cast<std::size_t>(design.cols);
  const double n = static_cast<double>(design.rows), t = s * lambda;
  std::vector<double> x(p, 0.0), drift(p, 0.0), change(p, 0.0);
  std::vector<Index> last(p, 0);
  std::vector<std::int32_t> touched;
  for (std::size_t i = 0; i < static_cast<std::size_t>(design.rows); ++i)
    for (auto e = static_cast<std::size_t>(rows.start[i]); e < static_cast<std::size_t>(rows.start[i + 1]);
         ++e)
      drift[static_cast<std::size_t>(rows.column[e])] -= design.response[i] / n * rows.value[e];
  RandomStream stream(1, Purpose::sampling);
  const auto step = [&](Index now) {
    touched.clear();
    for (Index k = 0; k < batch; ++k) {
      const auto i = static_cast<std::size_t>(stream.index(design.rows));
      const auto from = static_cast<std::size_t>(rows.start[i]),
                 to = static_cast<std::size_t>(rows.start[i + 1]);
      double c = 0.0;  // of the snapshot 0 the image is 0
      for (std::size_t e = from; e < to; ++e) {
        const auto j = static_cast<std::size_t>(rows.column[e]);
        if (last[j] < now) {
          if (last[j] < now - 1) x[j] = advanced(x[j], now - 1 - last[j], s * drift[j], t);
          last[j] = now;
          touched.push_back(rows.column[e]);
        }
        c += rows.value[e] * x[j];
      }
      c /= static_cast<double>(batch);
      for (std::size_t e = from; e < to; ++e)
        change[static_cast<std::size_t>(rows.column[e])] += c * rows.value[e];
    }
    for (const std::int32_t column : touched) {
      const auto j = static_cast<std::size_t>(column);
      x[j] = soft(x[j] - s * (drift[j] + change[j]), t);
      change[j] = 0.0;
    }
  };
  const Index warm = steps / 4;
  for (Index k = 1; k <= warm; ++k) step(k);
  return 1e9 / static_cast<double>(steps) * seconds_of([&] {
           for (Index k = 1; k <= steps; ++k) step(warm + k);
         });
}

double momentum_by_hand(Index p, Index steps) {
  const auto size = static_cast<std::size_t>(p);
  std::vector<double> x(size, 1.0), before(size, 0.5), y(size, 0.7), next(size, 0.0), g(size, 0.1);
  double kept = 0.0;
  const double seconds = seconds_of([&] {
    for (Index k = 0; k < steps; ++k) {
      double turn = 0.0, square = 0.0, along = 0.0;
      for (std::size_t j = 0; j < size; ++j) before[j] = y[j] - 0.1 * g[j];
      for (std::size_t j = 0; j < size; ++j) turn += (y[j] - x[j]) * (x[j] - before[j]);
      for (std::size_t j = 0; j < size; ++j) next[j] = 1.5 * x[j] - 0.5 * before[j];
      for (std::size_t j = 0; j < size; ++j) {
        square += (x[j] - y[j]) * (x[j] - y[j]);
        along += g[j] * (x[j] - y[j]);
      }
      kept += turn + square + along;
      std::swap(y, next);
      std::swap(before, x);
    }
  });
  return kept == 0.5 ? 0.0 : 1e3 * seconds / static_cast<double>(steps);
}

namespace {

/// g <- A' (A x - y) / n; the residuals go to r.
void small_gradient(const SmallProblem& p, const std::vector<double>& x, std::vector<double>& r,
                    std::vector<double>& g) {
  std::fill(g.begin(), g.end(), 0.0);
  const double* row = p.a.data();
  for (std::size_t i = 0; i < r.size(); ++i, row += p.cols) {
    double sum = -p.y[i];
    for (std::size_t j = 0; j < x.size(); ++j) sum += row[j] * x[j];
    r[i] = sum;
    for (std::size_t j = 0; j < x.size(); ++j) g[j] += row[j] * sum / static_cast<double>(p.rows);
  }
}

/// An upper estimate of the largest eigenvalue of A'A/n.
double small_smoothness(const SmallProblem& p) {
  SmallProblem homogeneous = p;
  std::fill(homogeneous.y.begin(), homogeneous.y.end(), 0.0);
  std::vector<double> v(static_cast<std::size_t>(p.cols), 1.0), r(p.y.size()), g(v.size());
  double largest = 0.0;
  for (int k = 0; k < 20; ++k) {
    small_gradient(homogeneous, v, r, g);
    largest = std::sqrt(std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = g[j] / largest;
  }
  return 1.05 * largest;
}

/// The duality gap at x over the value: the dual point is the residual, scaled into the dual ball.
double small_relative_gap(const SmallProblem& p, const std::vector<double>& x, std::vector<double>& r,
                          std::vector<double>& g) {
  small_gradient(p, x, r, g);
  double largest = 0.0, l1 = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    largest = std::max(largest, std::abs(g[j]));
    l1 += std::abs(x[j]);
  }
  const double rr = std::inner_product(r.begin(), r.end(), r.begin(), 0.0),
               ry = std::inner_product(r.begin(), r.end(), p.y.begin(), 0.0), n = static_cast<double>(p.rows),
               s = std::min(1.0, p.lambda / largest), value = rr / (2.0 * n) + p.lambda * l1;
  return (value + (s * s * rr / 2.0 + s * ry) / n) / value;
}

}  // namespace

Index small_fista_by_hand(const SmallProblem& p, double target, Index most, std::vector<double>& x) {
  const double step = 1.0 / small_smoothness(p), threshold = step * p.lambda;
  x.assign(static_cast<std::size_t>(p.cols), 0.0);
  std::vector<double> v(x), g(x), r(p.y.size()), before;
  double t = 1.0;
  for (Index k = 1; k <= most; ++k) {
    small_gradient(p, v, r, g);
    before = x;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double moved = v[j] - step * g[j];
      x[j] = std::copysign(std::max(std::abs(moved) - threshold, 0.0), moved);
    }
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    for (std::size_t j = 0; j < x.size(); ++j) v[j] = x[j] + (t - 1.0) / next * (x[j] - before[j]);
    t = next;
    if (target > 0.0 && k % 10 == 0 && small_relative_gap(p, x, r, g) <= target) return k;
  }
  return most;
}

}  // namespace bench
