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

/// The numbers at which an axis from `low` to `high` has ticks: 1, 2 or 5 times a power of ten, about five;
/// logarithmic: powers of ten, of less than two decades also their multiples by 2 and 5.
std::vector<double> axis_ticks(double low, double high, bool logarithmic);
/// "0.25", "10⁻³"
std::string tick_label(double value, bool logarithmic);

}  // namespace claros::cli
