// SPDX-License-Identifier: BSD-3-Clause
/// @file fractions.hpp  `lambda = 0.1*max`: parameters that only the objective turns into numbers.
#pragma once

#include <claros/compose/composition.hpp>

#include <vector>

namespace claros {

/// Adds the parameters of `part`, and of those that it holds, that were written as fractions of their largest
/// useful value. In its options a number of the range takes their place, so that the component can be made,
/// looked at and asked for that value.
void take_fractions(const Node& part, std::vector<ResolvedFraction>& fractions);

/// Finds max (LambdaMax of the part's component, at the null model of `f`) and puts the numbers into
/// `fractions` and into the options of `part` and of those that it holds. Returns whether there were any: the
/// part is then to be made anew. Throws Error with the reason where there is no such number.
bool resolve_fractions(std::vector<ResolvedFraction>& fractions, const Node& part, Objective& f);

}  // namespace claros
