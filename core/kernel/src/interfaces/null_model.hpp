// SPDX-License-Identifier: BSD-3-Clause
/// @file null_model.hpp  The model with nothing in it but what no penalty sees.
#pragma once

#include <claros/objective.hpp>

#include <vector>

namespace claros {

/// grad f at the null model, seen by a penalty: at 0, or, where f has free coordinates (abilities.hpp,
/// FreeTail: an intercept) or the penalty leaves some free (`free`, LambdaMax), at their minimiser with all
/// others 0, and then of the coordinates that the penalty sees. A penalty whose dual norm of it is at most
/// lambda keeps the others at 0.
/// The free coordinates are found by Newton's method on differences of gradients, exact after one step of a
/// quadratic f (the mean of the responses), to a slope of `accuracy` times that at 0 or rounding. Throws
/// Error(usage) for an expectation, whose gradient is not available, Error(numerical) where none is found.
Element null_gradient(Objective& f, const std::vector<Index>& free = {}, double accuracy = 1e-15);

}  // namespace claros
