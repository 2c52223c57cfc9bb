// SPDX-License-Identifier: BSD-3-Clause
/// @file null_model.hpp  The model with nothing in it but what no penalty sees.
#pragma once

#include <claros/objective.hpp>

#include <vector>

namespace claros {

/// grad f at the null model, on the coordinates that a penalty sees. The null model is 0. If f has free
/// coordinates (FreeTail in abilities.hpp, such as an intercept) or the penalty leaves some free (`free`,
/// LambdaMax), it is their minimiser with all others 0. A penalty whose dual norm of it is at most lambda
/// keeps the others at 0. Newton's method on differences of gradients finds the free coordinates, to a slope
/// of `accuracy` times that at 0 or to rounding. It is exact after one step for a quadratic f (the mean of
/// the responses). Throws Error(usage) for an expectation, whose gradient is not available, and
/// Error(numerical) if it finds none.
Element null_gradient(Objective& f, const std::vector<Index>& free = {}, double accuracy = 1e-15);

}  // namespace claros
