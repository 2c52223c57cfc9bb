// SPDX-License-Identifier: BSD-3-Clause
/// @file residual_step.hpp  The length of the step whose move is the residual of a point.
#pragma once

#include <claros/objective.hpp>

#include <optional>

namespace claros {

/// About L, of f(x) = phi(A x) with phi'' <= D, and as a rule above it: (sigma + residual)^2 of the leading
/// singular value of D^{1/2} A after k <= 12 Golub-Kahan-Lanczos steps, when the residual is a fifth of sigma
/// or k = 12. They start near grad f(0), which is a product with A' itself; a small random part, the same for
/// every run, finds what that leaves out. It is not a bound (constants().smoothness is one, at several times
/// the price), and need not be one: r_s / r_t lies between 1 and t / s for the residuals by steps s < t.
/// Shorter steps make larger residuals, and what a step of 1/L leaves where it is they leave too. Empty where
/// f is not a loss of A x, or phi'' has no bound.
std::optional<double> image_smoothness(Objective& f, const Element& slope_at_zero);

}  // namespace claros
