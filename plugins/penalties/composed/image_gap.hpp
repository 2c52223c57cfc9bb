// SPDX-License-Identifier: BSD-3-Clause
/// @file image_gap.hpp  The gap between a penalty of an image and a dual point.
#pragma once

#include <claros/abilities.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <cmath>

namespace composed {

struct ImageGap {
  double gap = 0.0;   ///< g(z) + g*(u) - <z, u>, with what its sums lose
  double size = 0.0;  ///< of the numbers that make it
};

/// At z = B x and u in dom g*; `norm_of_map` = ||B||, `norm_of_x` = ||x||.
inline ImageGap image_gap(claros::ProximalOracle& g, claros::Conjugate& conjugate, const claros::Element& z,
                          const claros::Element& u, double norm_of_map, double norm_of_x) {
  constexpr double kUnit = 1e-15;
  const double h = g.value(z), c = conjugate.conjugate(u), product = claros::inner(z, u);
  // B x cancels where x is nearly constant: its entries have the rounding of longer sums.
  const double longest = norm_of_map * claros::norm(u) * norm_of_x,
               size = std::abs(h) + std::abs(c) + std::abs(product) + longest;
  return {std::max(h + c - product, 0.0) + kUnit * size, size};
}

}  // namespace composed
