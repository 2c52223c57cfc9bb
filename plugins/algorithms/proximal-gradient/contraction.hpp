// SPDX-License-Identifier: BSD-3-Clause
/// @file contraction.hpp  What an epoch of Prox-SVRG does by Theorems 1 and 2 of Qu, Li, Xu 2017.
#pragma once

/// F of L-smooth components and of (restricted) strong convexity, less (mu/2)||x||^2; `strong` is sigma-bar,
/// the strong convexity that is left. After an epoch of m steps of length beta, single draws and the
/// theorems' snapshot,
///   E G(x+) - G* <= alpha (G(x) - G*) + chi eps^2,
/// eps^2 = 8 tau (8 H ||x^ - x*||)^2 at mu = 0 (Theorem 1; chi is 1/Q there), 64 tau r ||x^ - x*||^2 at mu >
/// 0 (Theorem 2). Their statistical tolerance e^2 is chi eps^2, and the distance falls by alpha an epoch down
/// to e^2 / (1 - alpha).
struct Contraction {
  double alpha = 0.0, chi = 0.0;
};

/// (6) and (8), which at mu = 0 are the alpha and 1/Q of Theorem 1. At beta = 1/(16 L), mu = 0, alpha is
/// below 1 only if m is above 32 L / strong. The paper's examples with m = 10 L / strong evaluate to 4.4, 8.4
/// and 5.7, but it prints 0.8, 0.66 and 0.68. The result has no meaning (alpha < 0) if mu / strong >= (1 - 4
/// L beta) / (1 + 4 L beta).
inline Contraction contraction(double L, double strong, double mu, double beta, double m) {
  const double below = beta * m * (2.0 - 8.0 * L * beta - 2.0 * mu / strong * (1.0 + 4.0 * L * beta));
  const double common = (1.0 + beta * mu + 4.0 * L * mu * beta * beta * (1.0 + m)) * 2.0 / strong;
  return {(8.0 * L * beta * beta * (m + 1.0) + common) / below,
          (2.0 * mu * beta * m / strong * (1.0 + 4.0 * L * beta) + common) / below};
}
