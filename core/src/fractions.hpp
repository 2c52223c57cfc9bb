// SPDX-License-Identifier: BSD-3-Clause
/// @file fractions.hpp  `lambda = 0.1*max`: parameters that only the objective turns into numbers.
#pragma once

#include <claros/composition.hpp>

#include <vector>

namespace claros {

/// The parameters of `choice` that were written as fractions of their largest useful value. In its options a number of
/// the range takes their place, so that the component can be made, looked at and asked for that value.
std::vector<ResolvedFraction> take_fractions(const Composition::Choice& choice);

/// Finds max (LambdaMax of `penalty`, at the null model of `f`) and puts the numbers into `fractions` and into the options
/// of `choice`, from which the penalty is then to be made anew. Throws Error with the reason where there is no such number.
void resolve_fractions(std::vector<ResolvedFraction>& fractions, const Composition::Choice& choice, Component& penalty,
                       Objective& f);

}  // namespace claros
