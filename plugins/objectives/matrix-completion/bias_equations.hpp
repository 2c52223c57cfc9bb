// SPDX-License-Identifier: BSD-3-Clause
/// @file bias_equations.hpp  The normal equations of row and column biases.
#pragma once

#include <claros/io/ratings.hpp>

#include <functional>
#include <vector>

namespace matrix_completion {

/// b and c that minimise
///     (1/2) sum_e w_e (r_e - b_i(e) - c_j(e))^2 + (lambda_b/2) ||b||^2 + (lambda_c/2) ||c||^2.
/// W has the weights as a matrix, D_b = diag(W 1) + lambda_b, D_c = diag(W'1) + lambda_c. Elimination removes
/// b, and conjugate gradients with D_c as preconditioner solve
///     (D_c - W' D_b^-1 W) c = p_c - W' D_b^-1 p_b
/// to a residual of 1e-14 of the right side: a pass over the entries a step, no matrix. Sums run in the order
/// of the entries. Throws Error(numerical) if that is not reached.
void solve_biases(const claros::Ratings& ratings, const std::vector<double>& r, const std::vector<double>& w,
                  double lambda_b, double lambda_c, std::vector<double>& b, std::vector<double>& c);

/// c with times(c) = right, by conjugate gradients from 0 with the diagonal as preconditioner, to a residual
/// of 1e-14 of the right side. Throws Error(numerical) when that is not reached.
std::vector<double> conjugate_gradients(
    std::vector<double> right, const std::vector<double>& diagonal,
    const std::function<std::vector<double>(const std::vector<double>&)>& times);

}  // namespace matrix_completion
