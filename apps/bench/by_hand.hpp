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

}  // namespace bench
