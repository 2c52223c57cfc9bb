// SPDX-License-Identifier: BSD-3-Clause
/// @file by_hand.hpp  What a person would write for one method on one problem: the loops that steps are
/// measured beside.
#pragma once

#include <claros/map/design.hpp>

#include <vector>

namespace bench {

/// Nanoseconds of an inner step of Prox-SVRG on the sparse Lasso (1/2n) ||A x - y||^2 + lambda ||x||_1 from x
/// = 0. A coordinate's lagged steps are made up when a row holds it.
double lagged_svrg_by_hand(const claros::Design& design, double lambda, double s, claros::Index batch,
                           claros::Index steps);

/// Milliseconds of a step of FISTA with restart and a step search, outside objective and oracle, on dense
/// points of p numbers. These are the step along the gradient, momentum, and the tests of both.
double momentum_by_hand(claros::Index p, claros::Index steps);

/// A Lasso (1/2n) ||A x - y||^2 + lambda ||x||_1 with few dense rows.
struct SmallProblem {
  claros::Index rows, cols;
  std::vector<double> a;  ///< row-major
  std::vector<double> y;
  double lambda;
};

/// FISTA from x = 0 with the step 1/L, L from a power method. It ends at a duality gap of `target` times the
/// value, computed in every tenth step. A target of 0 computes no gap. Returns the steps made.
claros::Index small_fista_by_hand(const SmallProblem& problem, double target, claros::Index most,
                                  std::vector<double>& x);

}  // namespace bench
