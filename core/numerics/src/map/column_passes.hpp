// SPDX-License-Identifier: BSD-3-Clause
/// @file column_passes.hpp  Full passes over a design that lies by columns, which read no rows.
#pragma once

#include <claros/map/columns.hpp>
#include <claros/map/linear_map.hpp>

#include <span>
#include <vector>

namespace claros {

/// z <- beta z + alpha (A x + b). With beta = 0, z need not be initialised.
void apply_columns(const Columns& a, double alpha, std::span<const double> x, double b, double beta,
                   std::span<double> z);
/// g <- g + A'c for K outputs. The vector c has K numbers a row, and g has K pieces of a number a column.
void add_columns_adjoint(const Columns& a, Index outputs, std::span<const double> c, std::span<double> g);
/// c <- middle(z), in blocks of whole rows.
std::vector<double> middle_of(const LinearMap::Middle& middle, std::span<const double> z, Index outputs = 1);
/// ||a_i||^2 a row.
std::vector<double> row_squares(const Columns& a);

}  // namespace claros
