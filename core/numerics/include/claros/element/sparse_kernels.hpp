// SPDX-License-Identifier: BSD-3-Clause
/// @file sparse_kernels.hpp  Products of a sparse matrix (values on a pattern) with a vector, reproducible on
/// any number of threads.
#pragma once

#include <claros/api.hpp>
#include <claros/element/pattern.hpp>

#include <span>

namespace claros::sparse {

/// y += w S x.
CLAROS_API void add_product(double w, const Pattern& pattern, std::span<const double> values,
                            std::span<const double> x, std::span<double> y);
/// x += w S'y.
CLAROS_API void add_adjoint_product(double w, const Pattern& pattern, std::span<const double> values,
                                    std::span<const double> y, std::span<double> x);

/// Y += w S X and X += w S'Y for blocks of `count` columns, column-major.
CLAROS_API void add_block_product(double w, const Pattern& pattern, std::span<const double> values,
                                  std::span<const double> X, Index count, std::span<double> Y);
CLAROS_API void add_adjoint_block_product(double w, const Pattern& pattern, std::span<const double> values,
                                          std::span<const double> Y, Index count, std::span<double> X);

/// image <- w S x - beta image and back += w S' image, each row read once for both.
CLAROS_API void round_trip(double w, const Pattern& pattern, std::span<const double> values,
                           std::span<const double> x, double beta, std::span<double> image,
                           std::span<double> back);

}  // namespace claros::sparse
