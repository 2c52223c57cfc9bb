// SPDX-License-Identifier: BSD-3-Clause
/// @file chart.hpp  The pictures of a page as SVG, for readers without JavaScript and for print. Colours are
/// classes: the style sheet of the page has them for light and dark.
#pragma once

#include "report/report_data.hpp"

#include <string>

namespace claros::cli {

/// The first axes of the figure, with its bands.
std::string chart(const ReportFigure& figure);
std::string chart_of_bars(const ReportBars& bars);
std::string chart_of_map(const ReportMap& map);

/// A scatter of points with the line that they should lie on.
std::string chart_of_points(const ReportPoints& points);
/// Nodes, and arcs whose width is their weight.
std::string chart_of_graph(const ReportGraph& graph);

}  // namespace claros::cli
