// SPDX-License-Identifier: BSD-3-Clause
/// @file by_hand.hpp  What a person would write for one method on one problem: the loops that steps are
/// measured beside.
#pragma once

#include <claros/map/design.hpp>

#include <vector>

namespace bench {

/// Inner steps of Prox-SVRG on the sparse Lasso (1/2n) ||A x - y||^2 + lambda ||x||_1 from x = 0, a
/// coordinate's lagged steps made up when a row holds it. Nanoseconds a step.
double lagged_svrg_by_hand(const claros::Design& design, double lambda, double s, claros::Index batch,
                           claros::Index steps);

/// What FISTA with restart and a step search does in a step outside objective and oracle, on dense points of
/// p numbers: the step along the gradient, momentum, and the tests of both. Milliseconds.
double momentum_by_hand(claros::Index p, claros::Index steps);

/// A Lasso (1/2n) ||A x - y||^2 + lambda ||x||_1 with few dense rows.
struct SmallProblem {
  claros::Index rows, cols;
  std::vector<double> a;  ///< row-major
  std::vector<double> y;
  double lambda;
};

/// FISTA from x = 0 with the step 1/L, L from a power method, to a duality gap of `target` times the value,
/// which it computes in every tenth step; 0: no such computation. Steps made.
claros::Index small_fista_by_hand(const SmallProblem& problem, double target, claros::Index most,
                                  std::vector<double>& x);

}  // namespace bench
