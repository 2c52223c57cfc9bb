// SPDX-License-Identifier: BSD-3-Clause
#include "dual_bound.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace distance {

using namespace claros;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Entry (i, j) belongs to the line i * by_row + j * by_column.
struct LinesOfEntries {
  std::size_t count = 1, by_row = 0, by_column = 0;
};

/// u <- the gradient at the point of gradient u less a constant in each line, which makes its sum there 0.
void balance(const WeightedDistance& f, const LinesOfEntries& lines, std::vector<double>& u) {
  const auto rows = static_cast<std::size_t>(f.shape.rows);
  const auto line = [&](std::size_t k) { return k % rows * lines.by_row + k / rows * lines.by_column; };
  std::vector<double> sums(lines.count, 0.0), weights(lines.count, 0.0);
  for (std::size_t k = 0; k < u.size(); ++k) sums[line(k)] += u[k], weights[line(k)] += f.weights[k];
  for (std::size_t k = 0; k < u.size(); ++k)
    if (weights[line(k)] > 0.0) u[k] -= f.weights[k] * sums[line(k)] / weights[line(k)];
}

/// -f*(b u) - h*(-b u) at the largest b that h* allows, and at the one that is best for f* below it.
double bound_along(const WeightedDistance& f, const std::vector<double>& u, Conjugate& h) {
  Element s = Element::dense(f.shape, u);
  s.scale(-1.0);
  const double most = h.into_domain(s);
  double squares = 0.0, products = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (u[k] == 0.0) continue;
    squares += u[k] * u[k] / f.weights[k];
    products += u[k] * f.y[k];
  }
  if (!(most > 0.0)) return squares > 0.0 ? -kInfinity : -h.conjugate(s);
  const auto at = [&](double b) {
    Element scaled(s);
    scaled.scale(b);
    return -0.5 * b * b * squares - b * products - h.conjugate(scaled);
  };
  const double best = squares > 0.0 ? std::clamp(-products / squares, 0.0, most) : most;
  return best < most ? std::max(at(most), at(best)) : at(most);
}

}  // namespace

double lower_bound(const WeightedDistance& f, const Element& x, Conjugate& h) {
  const std::vector<double> at = x.to_dense();
  std::vector<double> u(at.size());
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = f.weights[k] * (at[k] - f.y[k]);
  const double bound = bound_along(f, u, h);
  if (bound > -kInfinity) return bound;
  const auto rows = static_cast<std::size_t>(f.shape.rows), cols = static_cast<std::size_t>(f.shape.cols);
  for (const LinesOfEntries& lines :
       {LinesOfEntries{}, LinesOfEntries{cols, 0, 1}, LinesOfEntries{rows, 1, 0}}) {
    std::vector<double> balanced(u);
    balance(f, lines, balanced);
    if (const double other = bound_along(f, balanced, h); other > -kInfinity) return other;
  }
  return -kInfinity;
}

}  // namespace distance
