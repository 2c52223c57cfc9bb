// SPDX-License-Identifier: BSD-3-Clause
/// @file forms.hpp  The four things that every explicit form of a part can do. Adjoint parts are folded
/// before.
#pragma once

#include <claros/element/element.hpp>

namespace claros::forms {

/// D += w F, D column-major m x n.
void add_to_dense(double w, const Form& form, const Shape& shape, std::span<double> D);
/// y += w F x.
void add_product(double w, const Form& form, const Shape& shape, std::span<const double> x,
                 std::span<double> y);
/// x += w F'y.
void add_adjoint_product(double w, const Form& form, const Shape& shape, std::span<const double> y,
                         std::span<double> x);
/// Y += w F X and X += w F'Y for blocks of `count` columns, column-major.
void add_block_product(double w, const Form& form, const Shape& shape, std::span<const double> X, Index count,
                       std::span<double> Y);
void add_adjoint_block_product(double w, const Form& form, const Shape& shape, std::span<const double> Y,
                               Index count, std::span<double> X);
/// out_e += w F(row_e, col_e) over the entries of the pattern.
void add_samples(double w, const Form& form, const Shape& shape, const Pattern& pattern,
                 std::span<double> out);
/// out_k += w F(row_e, col_e), e = entries[k].
void add_samples(double w, const Form& form, const Shape& shape, const Pattern& pattern,
                 std::span<const Index> entries, std::span<double> out);
/// <F, G> of two forms, neither of them adjoint; `size` is the sum of the magnitudes of the terms that may
/// cancel in it.
double inner(const Form& f, const Form& g, const Shape& shape, double& size);

}  // namespace claros::forms
