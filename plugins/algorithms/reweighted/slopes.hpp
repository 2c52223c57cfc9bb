// SPDX-License-Identifier: BSD-3-Clause
/// @file slopes.hpp  Slopes of a penalty of single entries, read off its proximal step.
#pragma once

#include <claros/abilities.hpp>

#include <span>
#include <vector>

/// w_j = phi_j'(|x_j|) for h(x) = sum_j phi_j(|x_j|), phi_j concave and rising. At 0 it is the slope by which
/// an entry leaves 0, infinite if the entry stays 0. The v = x + s phi'(x) with prox_{s h}(v) = x is found by
/// bisection, to 1e-15 of itself. Here s = 1/(10 mu), mu the weak convexity of h. A 0 is replaced by 1e-9 of
/// max_j |x_j|, or of 1.
std::vector<double> slopes(const claros::BlockStep& step_of, std::span<const double> x, double mu);

/// True if phi_j depends on the magnitude alone and no slope grows with it, as far as entries of size 1e-3, 1
/// and 1e3 show.
bool is_concave(const claros::BlockStep& step_of, claros::Index count, double mu);
