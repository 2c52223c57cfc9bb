// SPDX-License-Identifier: BSD-3-Clause
#include "by_hand.hpp"

#include "problems.hpp"

#include <claros/random.hpp>

#include <algorithm>
#include <cmath>
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
      for (std::size_t j = 0; j < size; ++j)
        square += (x[j] - y[j]) * (x[j] - y[j]), along += g[j] * (x[j] - y[j]);
      kept += turn + square + along;
      std::swap(y, next);
      std::swap(before, x);
    }
  });
  return kept == 0.5 ? 0.0 : 1e3 * seconds / static_cast<double>(steps);
}

}  // namespace bench
