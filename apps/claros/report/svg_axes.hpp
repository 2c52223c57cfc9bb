// SPDX-License-Identifier: BSD-3-Clause
/// @file svg_axes.hpp  Scales, ticks and axes of the static pictures of a page.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace claros::cli {

/// Pixels of a chart, and of the space around its axes.
inline constexpr double kChartWidth = 760, kChartHeight = 400, kChartLeft = 76, kChartRight = 14,
                        kChartTop = 14, kChartBottom = 52;

/// From numbers to pixels.
struct AxisScale {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool logarithmic = false;
  double first = 0.0, last = 1.0;

  bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0.0); }
  void add(double v) {
    if (shows(v)) low = std::min(low, v), high = std::max(high, v);
  }
  /// At least a point wide, and with `room` to both sides.
  void settle(double room) {
    if (!(low <= high)) low = logarithmic ? 0.1 : 0.0, high = 1.0;
    if (logarithmic) {
      const double factor = low == high ? 2.0 : std::pow(high / low, room);
      low /= factor;
      high *= factor;
    } else {
      const double around = low == high ? (low == 0.0 ? 1.0 : 0.5 * std::abs(low)) : room * (high - low);
      low -= around;
      high += around;
    }
  }
  double operator()(double v) const {
    const double share = logarithmic ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
    return first + share * (last - first);
  }
};

/// Sets the pixels at which the axes of a chart begin and end.
void fill_chart(AxisScale& across, AxisScale& up);
/// Grid, ticks, frame and labels; the labels are verbatim.
std::string svg_axes(const AxisScale& across, const AxisScale& up, const std::string& label_x,
                     const std::string& label_y);

/// The numbers at which an axis from `low` to `high` has ticks: about five, 1, 2 or 5 times a power of ten. A
/// logarithmic axis has powers of ten; over less than two decades it also has their multiples by 2 and 5.
std::vector<double> axis_ticks(double low, double high, bool logarithmic);
/// "0.25", "10⁻³"
std::string tick_label(double value, bool logarithmic);

}  // namespace claros::cli
