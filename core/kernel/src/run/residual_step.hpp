// SPDX-License-Identifier: BSD-3-Clause
/// @file residual_step.hpp  The length of the step whose move is the residual of a point.
#pragma once

#include <claros/objective.hpp>

#include <optional>

namespace claros {

/// An estimate of L for f(x) = phi(A x) with phi'' <= D, as a rule from above. It is (sigma + residual)^2 for
/// the leading singular value of D^{1/2} A after k <= 12 Golub-Kahan-Lanczos steps, which end when the
/// residual is a fifth of sigma or k = 12. They start near grad f(0), which is a product with A' itself. A
/// small random part, the same for every run, finds directions that it leaves out. It is not a bound
/// (constants().smoothness is one, at several times the price), and need not be one. For the residuals r_s,
/// r_t by steps s < t, r_s / r_t lies between 1 and t / s. Shorter steps make larger residuals, and a point
/// that a step of 1/L leaves in place stays in place under them. Empty if f is not a loss of A x, or phi''
/// has no bound.
std::optional<double> image_smoothness(Objective& f, const Element& slope_at_zero);

}  // namespace claros
