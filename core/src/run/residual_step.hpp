// SPDX-License-Identifier: BSD-3-Clause
/// @file residual_step.hpp  The length of the step whose move is the residual of a point.
#pragma once

#include <claros/objective.hpp>

#include <optional>

namespace claros {

/// About L, of f(x) = phi(A x) with phi'' <= D: from k <= 12 Golub-Kahan-Lanczos steps on D^{1/2} A, the Ritz value theta of A' D A and its
/// residual, theta + residual, where the residual is a fifth of theta or k = 12. They start near grad f(0), which is a product with A' itself; a small
/// random part, the same for everybody, finds what that leaves out. It is no bound (constants().smoothness is, at several times the price), and
/// need be none: r(x) / r'(x) lies between 1 and s' / s for the residuals by steps s < s'. Empty where f is no loss of A x, or phi'' has no bound.
std::optional<double> image_smoothness(Objective& f, const Element& slope_at_zero);

}  // namespace claros
