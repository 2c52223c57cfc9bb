// SPDX-License-Identifier: BSD-3-Clause
/// @file column_products.hpp  Inner products of the columns of two arrays.
#pragma once

#include <claros/api.hpp>

#include <span>

namespace claros {

/// out <- A'B by BLAS, for column-major arrays whose columns have `rows` > 0 numbers. The result has a number
/// for each column of A, one after the other for each column of B. The bits of a product may depend on how
/// many columns there are.
CLAROS_API void column_products(Index rows, std::span<const double> A, std::span<const double> B,
                                std::span<double> out);

}  // namespace claros
