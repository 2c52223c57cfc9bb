// SPDX-License-Identifier: BSD-3-Clause
/// @file gnuplot.hpp  The program gnuplot, found and started at run time.
#pragma once

#include <filesystem>
#include <string>

namespace claros::cli {

/// Throws Error(usage) that says what to install when gnuplot is not on PATH.
std::filesystem::path find_gnuplot();

/// Draws `script`, and returns the bytes of its picture, an SVG by compact_svg. The script sets a terminal
/// and plots; this function sets its output. Neither the user's own gnuplot settings nor the locale matter.
/// Throws Error(numerical) with gnuplot's first words when it fails.
std::string draw(const std::filesystem::path& gnuplot, const std::string& script);

}  // namespace claros::cli
