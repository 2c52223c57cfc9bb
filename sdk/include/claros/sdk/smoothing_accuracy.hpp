// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothing_accuracy.hpp  The parameter eps of smoothers, which stands for mu.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>

namespace claros::sdk {

/// mu = 7 eps / (92 gamma), if |R_mu(x) - R(x)| <= gamma mu. The error of a stochastic conditional gradient
/// method on f_mu comes to (23/7) gamma mu in terms of f. That is a quarter of eps, and leaves the rest to
/// the solver. Minimising f_mu misses the minimum of f by gamma mu. (Garber, Kaplan 2019, Theorem 6 and
/// Corollary 1; 3 and 4 are examples.)
inline double mu_for_accuracy(double eps, double gamma) { return 7.0 * eps / (92.0 * gamma); }

/// Throws Error(usage) if a smoother is made with eps, from which composing makes mu (SmoothingAccuracy).
inline void require_composed(double eps) {
  if (eps > 0.0)
    throw Error(
        ErrorKind::usage, "eps",
        "expected mu: eps becomes mu when a specification is composed, and this smoother is made alone",
        "give mu");
}

}  // namespace claros::sdk
