// SPDX-License-Identifier: BSD-3-Clause
/// @file support_face.hpp  Minimal faces of polytopes whose only inequalities bound single entries.
#pragma once

#include <claros/error.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/sets/interval.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace claros::sdk {

/// Entries nearer to a bound than this share of the size of the set are taken to lie on it.
inline constexpr double kOnBound = 1e-12;

/// Throws Error(numerical) unless all entries are finite.
inline void require_finite(std::span<const double> g, std::span<const double> x) {
  if (!all_finite(g) || !all_finite(x))
    throw Error(ErrorKind::numerical, "", "the point or the direction holds a number that is not finite",
                "check for a step that is too long, or for bad data");
}

/// The largest b >= 0 with x + b (x - a) within the bounds, a a point of the face of x. It is 0 if x is a.
inline double longest_away(std::span<const double> x, std::span<const double> a, const Interval& bounds,
                           double size) {
  double longest = kInfinity;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double d = x[j] - a[j];
    if (std::abs(d) <= kOnBound * size) continue;
    longest = std::min(longest, std::max(0.0, (d > 0.0 ? bounds.upper - x[j] : bounds.lower - x[j]) / d));
  }
  return longest < kInfinity ? longest : 0.0;
}

/// For C = {bounds <= x <= bounds : A x = b}, entries up to `size`: the vertices of F(x) are those that are
/// on a bound wherever x is. The callback `corner(c, a)` minimises <c, a> over C. Its c makes leaving a bound
/// cost more than all other entries can gain.
template <class Corner>
FaceInfo away_in_support(const Element& slope, const Element& at, const Interval& bounds, double size,
                         Corner&& corner, Element& vertex) {
  const std::vector<double> g = slope.to_dense(), x = at.to_dense();
  require_finite(g, x);
  const std::span<double> a = overwrite_dense(at.shape(), vertex);
  const double scale = largest_magnitude(g);
  const double dear = 2.0 * static_cast<double>(x.size()) + 1.0;
  std::vector<double> costs(g.size());
  FaceInfo info{.whole = true};
  for (std::size_t j = 0; j < g.size(); ++j) {
    const bool low = x[j] - bounds.lower <= kOnBound * size, high = bounds.upper - x[j] <= kOnBound * size;
    costs[j] = low ? dear : high ? -dear : scale > 0.0 ? -g[j] / scale : 0.0;
    info.whole = info.whole && !low && !high;
  }
  corner(std::span<const double>(costs), a);
  info.value = dot(g, a);
  info.longest = longest_away(x, a, bounds, size);
  return info;
}

}  // namespace claros::sdk
