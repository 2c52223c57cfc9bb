// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg_axes.hpp"

#include <fmt/format.h>

#include "report/html.hpp"

namespace claros::cli {

namespace {

std::string superscript(int number) {
  static const char* const kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return text;
}

}  // namespace

void fill_chart(AxisScale& across, AxisScale& up) {
  across.first = kChartLeft;
  across.last = kChartWidth - kChartRight;
  up.first = kChartHeight - kChartBottom;
  up.last = kChartTop;
}

std::string svg_axes(const AxisScale& across, const AxisScale& up, const std::string& label_x,
                     const std::string& label_y) {
  const double right = kChartWidth - kChartRight, floor = kChartHeight - kChartBottom;
  std::string text;
  for (const double t : axis_ticks(across.low, across.high, across.logarithmic))
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"tick\" x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>",
        across(t), kChartTop, floor, floor + 18, tick_label(t, across.logarithmic));
  for (const double t : axis_ticks(up.low, up.high, up.logarithmic))
    text += fmt::format(
        "<path class=\"grid\" d=\"M{1} {0:.1f}H{2}\"/><text class=\"tick\" x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>",
        up(t), kChartLeft, right, kChartLeft - 6, up(t) + 4, tick_label(t, up.logarithmic));
  return text +
         fmt::format(
             "<path class=\"frame\" d=\"M{0} {1}V{2}H{3}\"/><text class=\"label\" x=\"{4:.1f}\" y=\"{5}\" "
             "text-anchor=\"middle\">{6}</text><text class=\"label\" transform=\"translate(16 {7:.1f}) "
             "rotate(-90)\" text-anchor=\"middle\">{8}</text>",
             kChartLeft, kChartTop, floor, right, (kChartLeft + right) / 2, kChartHeight - 10,
             html_text(label_x), (kChartTop + floor) / 2, html_text(label_y));
}

std::vector<double> axis_ticks(double low, double high, bool logarithmic) {
  std::vector<double> ticks;
  if (logarithmic && high / low >= 10.0) {
    const double decades = std::log10(high / low);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / 7.0)));
    for (int e = static_cast<int>(std::ceil(std::log10(low) - 1e-9)); e <= std::log10(high) + 1e-9; ++e)
      for (const int digit : {1, 2, 5}) {
        const double t = digit * std::pow(10.0, e);
        if (t <= high * (1 + 1e-9) && (digit == 1 ? e % every == 0 : decades < 2.0)) ticks.push_back(t);
      }
    return ticks;
  }
  const double raw = (high - low) / 5.0, power = std::pow(10.0, std::floor(std::log10(raw)));
  const double step = power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    if (!logarithmic || k > 0) ticks.push_back(k * step);
  return ticks;
}

std::string tick_label(double value, bool logarithmic) {
  const double power = value == 0.0 ? 0.0 : std::floor(std::log10(std::abs(value)) + 1e-9);
  const bool plain = value == 0.0 || (power > -4 && power < 5);
  if (plain && !(logarithmic && (power < -2 || power > 3))) return fmt::format("{:.6g}", value);
  const double digits = value / std::pow(10.0, power);
  const std::string ten = "10" + superscript(static_cast<int>(power));
  return std::abs(digits - 1.0) < 1e-6 ? ten : fmt::format("{:.4g}·{}", digits, ten);
}

}  // namespace claros::cli
