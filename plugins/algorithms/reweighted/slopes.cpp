// SPDX-License-Identifier: BSD-3-Clause
#include "slopes.hpp"

#include <algorithm>
#include <cmath>

using namespace claros;

namespace {

/// prox_{s h_j}
class Step {
 public:
  Step(const BlockStep& step_of, Index j, double s) : step_of_(step_of), j_(j), s_(s) {}
  double operator()(double v) const {
    double to = 0.0;
    step_of_(j_, &v, s_, &to);
    return to;
  }
  double length() const { return s_; }

 private:
  const BlockStep& step_of_;
  Index j_;
  double s_;
};

/// (v - u)/s of the v with prox(v) = u, by bisection: prox rises. Infinite if prox stays below u.
double slope_at(const Step& prox, double u) {
  constexpr int kHalvings = 200;
  constexpr double kEnough = 1e-15;
  double low = u, high = u;
  while (prox(high) < u) {
    high *= 2.0;
    if (!std::isfinite(high)) return high;
  }
  for (int k = 0; k < kHalvings && high - low > kEnough * high; ++k) {
    const double middle = 0.5 * (low + high);
    (prox(middle) < u ? low : high) = middle;
  }
  return std::max(0.0, high - u) / prox.length();
}

bool is_concave_at(const Step& prox, double u) {
  constexpr double kRounding = 1e-6;
  const double v = 4.0 * u;
  return prox(-v) == -prox(v) &&
         !(slope_at(prox, 2.0 * u) > slope_at(prox, u) * (1.0 + kRounding) + kRounding);
}

double step_length(double mu) {
  constexpr double kShort = 0.1;
  return mu > 0.0 ? kShort / mu : 1.0;
}

}  // namespace

bool is_concave(const BlockStep& step_of, Index count, double mu) {
  for (Index j = 0; j < count; ++j)
    for (const double u : {1e-3, 1.0, 1e3})
      if (!is_concave_at(Step(step_of, j, step_length(mu)), u)) return false;
  return true;
}

std::vector<double> slopes(const BlockStep& step_of, std::span<const double> x, double mu) {
  constexpr double kBeside = 1e-9;
  double size = 0.0;
  for (const double value : x) size = std::max(size, std::abs(value));
  const double beside = kBeside * (size > 0.0 ? size : 1.0);
  std::vector<double> w;
  for (std::size_t j = 0; j < x.size(); ++j)
    w.push_back(
        slope_at(Step(step_of, static_cast<Index>(j), step_length(mu)), std::max(std::abs(x[j]), beside)));
  return w;
}
