// SPDX-License-Identifier: BSD-3-Clause
/// @file slopes.hpp  Slopes of a penalty of single entries, read off its proximal step.
#pragma once

#include <claros/abilities.hpp>

#include <span>
#include <vector>

/// w_j = phi_j'(|x_j|), of h(x) = sum_j phi_j(|x_j|), phi_j concave and rising: at 0 the slope by which an
/// entry leaves 0, infinite of an entry that stays 0. prox_{s h}(v) = x where v = x + s phi'(x), s = 1/(10
/// mu) with mu the weak convexity of h: v is found by bisection, to 1e-15 of itself. 0 is stepped aside of by
/// 1e-9 of max_j |x_j|, or of 1.
std::vector<double> slopes(const claros::BlockStep& step_of, std::span<const double> x, double mu);

/// Whether phi_j depends on the magnitude alone and no slope grows with it, as far as entries of size 1e-3, 1
/// and 1e3 tell.
bool is_concave(const claros::BlockStep& step_of, claros::Index count, double mu);
