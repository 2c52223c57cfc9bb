// SPDX-License-Identifier: BSD-3-Clause
/// @file solution_plot.hpp  A solution as a picture of gnuplot, or as text in a terminal.
#pragma once

#include "plot/plot_script.hpp"
#include "plot/solution_view.hpp"

#include <cstddef>
#include <string>

namespace claros::cli {

/// Returns a script of gnuplot; pairs are not drawn in a terminal.
std::string solution_script(const SolutionView& view, const std::string& title, Picture picture);
/// Returns a text of `width` columns.
std::string solution_text(const SolutionView& view, const std::string& title, std::size_t width);

}  // namespace claros::cli
