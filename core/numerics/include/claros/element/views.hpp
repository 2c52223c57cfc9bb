// SPDX-License-Identifier: BSD-3-Clause
/// @file views.hpp  The numbers of an element where they stand. Eigen and Armadillo see them so through
/// claros/sdk/eigen.hpp and claros/sdk/armadillo.hpp.
#pragma once

#include <claros/api.hpp>
#include <claros/element/element.hpp>

#include <optional>
#include <span>

namespace claros {

/// X = U diag(s) V': U is rows x rank and V is cols x rank, column-major. Lives as long as the element is not
/// changed.
struct FactorView {
  Index rows = 0, cols = 0;
  std::span<const double> U, s, V;

  Index rank() const noexcept { return static_cast<Index>(s.size()); }
};

/// The values of x, column-major, when it is one dense array; nothing otherwise. (x.dense_values() makes it
/// one.) Lives as long as x is not changed.
CLAROS_API std::optional<std::span<const double>> dense_view(const Element& x);
/// The singular value decomposition of x, from largest to smallest, if x is low-rank and nothing else, or 0.
/// It is nothing otherwise. x becomes the sum of its singular pairs: the same point, up to rounding.
CLAROS_API std::optional<FactorView> factor_view(Element& x);

}  // namespace claros
