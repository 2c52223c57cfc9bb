// SPDX-License-Identifier: BSD-3-Clause
/// @file image_search.hpp  Line search for f(x) = phi(A x) without a pass over the data.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/entries.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace claros::sdk {

/// argmin over gamma in [0, 1] of a convex function along a line, by its derivative. A linear derivative
/// needs one evaluation beside those at the ends. Else safeguarded secant steps go to 1e-10 of the slope at
/// 0. For a function that is not convex: a stationary point behind which it rises, or the end.
template <class Slope>
double least_on_segment(Slope slope) {
  constexpr int kMostEvaluations = 20;
  constexpr double kTolerance = 1e-10;
  double low = 0.0, low_slope = slope(0.0);
  if (!(low_slope < 0)) return 0.0;
  double high = 1.0, high_slope = slope(1.0);
  if (high_slope <= 0) return 1.0;
  const double scale = -low_slope;
  // A bracket low_slope < 0 < high_slope, shrunk by secant points, which are exact at once if the slope is
  // linear. It is halved when a secant point fails to shrink it much.
  for (int k = 0; k < kMostEvaluations; ++k) {
    const double secant = low - low_slope * (high - low) / (high_slope - low_slope);
    const double gamma = k % 3 == 2 ? 0.5 * (low + high) : secant;
    const double at = slope(gamma);
    if (std::abs(at) <= kTolerance * scale) return gamma;
    (at < 0 ? low : high) = gamma;
    (at < 0 ? low_slope : high_slope) = at;
  }
  return low;
}

/// Derivatives of phi(z + gamma d) in gamma, from images alone.
class ImageSearch {
 public:
  /// argmin over gamma in [0, 1].
  double operator()(LossOfImage& phi, std::span<const double> z, std::span<const double> d) {
    point_.resize(z.size());
    gradient_.resize(z.size());
    return least_on_segment([&](double gamma) {
      for (std::size_t k = 0; k < z.size(); ++k) point_[k] = z[k] + gamma * d[k];
      phi.image_gradient({}, point_, gradient_);
      return dot(gradient_, d);
    });
  }

 private:
  std::vector<double> point_, gradient_;
};

}  // namespace claros::sdk
