// SPDX-License-Identifier: BSD-3-Clause
/// @file row_weights.hpp  Numbers of rows, and weights of rows as the mean of a loss takes them.
#pragma once

#include <claros/api.hpp>

#include <string>
#include <vector>

namespace claros {

/// One number for each of those rows, in that order; empty if `all` is empty.
CLAROS_API std::vector<double> numbers_of_rows(const std::vector<double>& all,
                                               const std::vector<Index>& rows);

/// w_i n / sum_k w_k. With these (1/n) sum_i w_i psi_i is the weighted mean sum_i w_i psi_i / sum_i w_i, and
/// a row of weight 0 has no effect. Empty if all are equal: such weights change nothing. Throws Error(data)
/// at `where` if all are 0, or one is negative or not finite.
CLAROS_API std::vector<double> weights_of_mean(std::vector<double> weights, const std::string& where);

}  // namespace claros
