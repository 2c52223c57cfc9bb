// SPDX-License-Identifier: BSD-3-Clause
/// @file plot_script.hpp  Curves as a script of gnuplot.
#pragma once

#include <claros/grids/quartiles.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace claros::cli {

struct Curve {
  std::string label;
  Band band;
  std::size_t look = kByPlace;  ///< index of colour, dashes and marks; kByPlace: that of the curve

  static constexpr std::size_t kByPlace = static_cast<std::size_t>(-1);
};

enum class Picture { svg, png, pdf, terminal };

struct Figure {
  std::vector<Curve> curves;
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  /// A line across the panel; drawn where its label is not empty.
  struct Level {
    std::string label;
    double y = 0.0;
  } level = {};
};

/// Drops what a logarithmic axis cannot show, x or y that is not positive, and infinities; returns how many
/// points went. A curve keeps at most 400 points: its ends, and its least and largest number in each of equal
/// stretches of the axis.
std::size_t keep_drawable(Figure& figure);

/// Figures beside and above each other with the same curves in all: one legend, the titles over the columns.
/// The panels of a row share their y range: they are there to be compared. A curve without points keeps its
/// place, and so its colour.
struct FigureGrid {
  std::string title;
  std::vector<std::vector<Figure>> rows;
};
std::string grid_script(const FigureGrid& grid, Picture picture);

/// A literal string of gnuplot. gnuplot ends a single-quoted string at two quotes in a row, or at one in
/// front. In a double-quoted one a backtick would start a program, and a number in octal takes in the digits
/// behind it.
std::string gnuplot_text(const std::string& text);
/// The line that chooses what is drawn to; a `wide` picture has beside it a legend of that many curves.
std::string plot_terminal(Picture picture, std::size_t width, bool wide, std::size_t curves);
/// The colour of curve k, from the palette of Okabe and Ito.
const char* curve_colour(std::size_t k);

/// `width` columns for a terminal. Lines differ in colour (the palette of Okabe and Ito, Color universal
/// design, 2008) and in dashes and marks.
std::string plot_script(const Figure& figure, Picture picture, std::size_t width);

}  // namespace claros::cli
