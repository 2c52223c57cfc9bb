// SPDX-License-Identifier: BSD-3-Clause
/// @file elementary.hpp  Exponentials and logarithms of arrays.
#pragma once

#include <claros/api.hpp>

#include <span>

namespace claros {

/// out_k = exp(x_k), log(1 + x_k) for every double, within 2 units in the last place. Infinite
/// numbers and NaN give what std::exp and std::log1p give. Several numbers are computed at once, by
/// the same operations on every processor: bits depend on neither the machine nor the place in the array.
/// `out` has the size of x and may be x.
CLAROS_API void exp_each(std::span<const double> x, std::span<double> out) noexcept;
CLAROS_API void log1p_each(std::span<const double> x, std::span<double> out) noexcept;

}  // namespace claros
