// SPDX-License-Identifier: BSD-3-Clause
/// @file plot_solution.hpp  claros plot DIR --solution.
#pragma once

#include "cli/arguments.hpp"

namespace claros::cli {

/// True if an option is one for pictures of a solution.
bool draws_solution(const Arguments& arguments);
/// Draws the solution of one run folder; the exit code.
int plot_solution(const Arguments& arguments);

}  // namespace claros::cli
