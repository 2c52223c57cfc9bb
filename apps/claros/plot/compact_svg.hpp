// SPDX-License-Identifier: BSD-3-Clause
/// @file compact_svg.hpp  Pictures of gnuplot in a quarter of their bytes.
#pragma once

#include <string>

namespace claros::cli {

/// Returns the drawing of `svg`, which gnuplot wrote. Lines lose the points within a quarter of a pixel of
/// the line without them (Ramer 1972; Douglas and Peucker 1973), and keep their ends. Coordinates are in
/// tenths of a pixel. Attributes that all groups share stand once, and empty groups go.
std::string compact_svg(const std::string& svg);

}  // namespace claros::cli
