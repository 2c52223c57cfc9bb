// SPDX-License-Identifier: BSD-3-Clause
/// @file time_left.hpp  The time that the rest of a grid takes.
#pragma once

#include <claros/grids/comparison.hpp>

#include <string>

namespace claros::cli {

/// Seconds until the runs that are not yet reported are made, `jobs` at a time. Each takes the mean time of
/// its cell's runs, or else of all runs. NaN as long as no run says how long one takes.
double seconds_left(const Comparison& comparison, int jobs);
/// "40 s", "7 min", "2.5 h".
std::string duration_text(double seconds);

}  // namespace claros::cli
