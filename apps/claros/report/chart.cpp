// SPDX-License-Identifier: BSD-3-Clause
#include "report/chart.hpp"

#include <claros/grids/quartiles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/svg_axes.hpp"

namespace claros::cli {

namespace {

struct DrawnCurve {
  Band band;
  std::size_t number = 0;
  bool background = false;
};

const std::vector<double>& numbers_of(const ReportColumns& columns, const std::string& name) {
  static const std::vector<double> none;
  const auto found = columns.find(name);
  return found == columns.end() ? none : found->second;
}

/// The band that `figure` shows for a curve: a given one around it, or that of its members.
Band drawn_band(const ReportFigure& figure, const ReportCurve& curve) {
  const std::string &x = figure.x.front().name, &y = figure.y.front().name;
  if (curve.members.empty()) return {};
  if (!figure.lower.empty()) {
    const ReportColumns& only = curve.members.front();
    return {numbers_of(only, x), numbers_of(only, figure.lower), numbers_of(only, y),
            numbers_of(only, figure.upper), 2};
  }
  std::vector<Series> series;
  for (const ReportColumns& member : curve.members) {
    const auto &at = numbers_of(member, x), &values = numbers_of(member, y);
    if (at.size() != values.size()) continue;
    series.push_back({at, values});
  }
  if (figure.falling_x && series.size() == 1)  // whose x the band would have increase
    return {series[0].x, series[0].y, series[0].y, series[0].y, 1};
  return band(series, figure.log_y);
}

std::vector<DrawnCurve> drawn_curves(const ReportFigure& figure) {
  std::vector<DrawnCurve> drawn;
  for (std::size_t k = 0; k < figure.curves.size(); ++k)
    drawn.push_back({drawn_band(figure, figure.curves[k]), k, figure.curves[k].background});
  return drawn;
}

/// A path through the points that the scales show; a gap where one is not shown.
std::string svg_line(const std::vector<double>& x, const std::vector<double>& y, const AxisScale& across,
                     const AxisScale& up) {
  std::string path;
  bool open = false;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool shown = across.shows(x[k]) && up.shows(y[k]);
    if (shown) path += fmt::format("{}{:.1f} {:.1f}", open ? "L" : "M", across(x[k]), up(y[k]));
    open = shown;
  }
  return path;
}

std::string svg_band(const Band& b, const AxisScale& across, const AxisScale& up) {
  std::string forth, back;
  for (std::size_t k = 0; k < b.x.size(); ++k) {
    if (!across.shows(b.x[k]) || !up.shows(b.lower[k]) || !up.shows(b.upper[k])) continue;
    forth += fmt::format("{}{:.1f} {:.1f}", forth.empty() ? "M" : "L", across(b.x[k]), up(b.upper[k]));
    back = fmt::format("L{:.1f} {:.1f}", across(b.x[k]), up(b.lower[k])) + back;
  }
  return forth.empty() ? forth : forth + back + "Z";
}

bool figure_has_bands(const ReportFigure& figure) {
  return figure.lower.empty() && std::any_of(figure.curves.begin(), figure.curves.end(),
                                             [](const ReportCurve& c) { return c.members.size() > 1; });
}

std::string svg_marks(const ReportFigure& figure, const AxisScale& across) {
  std::string text;
  double down = kChartTop + 12;
  for (const auto& [label, x] : figure.marks) {
    if (!across.shows(x)) continue;
    const bool left = across(x) > kChartWidth - kChartRight - 160;
    text += fmt::format(
        "<path class=\"mark\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"tick over\" x=\"{3:.1f}\" y=\"{4}\" "
        "text-anchor=\"{5}\">{6}</text>",
        across(x), kChartTop, kChartHeight - kChartBottom, across(x) + (left ? -5 : 5), down,
        left ? "end" : "start", html_text(label));
    down += 16;
  }
  return text;
}

}  // namespace

std::string chart(const ReportFigure& figure) {
  AxisScale across, up;
  across.logarithmic = figure.log_x;
  up.logarithmic = figure.log_y;
  const std::vector<DrawnCurve> curves = drawn_curves(figure);
  for (const DrawnCurve& curve : curves)
    for (std::size_t k = 0; k < curve.band.x.size(); ++k)
      if (up.shows(curve.band.median[k])) {
        across.add(curve.band.x[k]);
        for (const double y : {curve.band.lower[k], curve.band.median[k], curve.band.upper[k]}) up.add(y);
      }
  across.settle(0.0), up.settle(0.04);
  fill_chart(across, up);
  if (figure.falling_x) std::swap(across.first, across.last);
  std::string text = fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                                 kChartWidth, kChartHeight, html_text(figure.title));
  text += svg_axes(across, up, figure.x.front().label,
                   figure.y.front().label + (figure_has_bands(figure) ? " (median, quartiles)" : "")) +
          svg_marks(figure, across);
  for (const DrawnCurve& curve : curves)
    if (curve.band.members > 1)
      text += fmt::format("<path class=\"band s{}\" d=\"{}\"/>", curve.number % 7,
                          svg_band(curve.band, across, up));
  for (std::size_t back = curves.size(); back > 0; --back) {
    const DrawnCurve& curve = curves[back - 1];
    const std::string path = svg_line(curve.band.x, curve.band.median, across, up);
    if (curve.background)
      text += "<path class=\"line rest\" d=\"" + path + "\"/>";
    else
      text +=
          fmt::format("<path class=\"line s{} d{}\" d=\"{}\"/>", curve.number % 7, curve.number % 5, path);
  }
  return text + "</svg>";
}

std::string chart_of_bars(const ReportBars& bars) {
  double least = 0.0, most = 0.0;
  for (const ReportBars::Bar& bar : bars.bars) {
    least = std::min(least, bar.value);
    most = std::max(most, bar.value);
  }
  if (!(most > least)) most = least + 1.0;
  const auto at = [&](double v) { return 100.0 * (v - least) / (most - least); };
  std::string text = "<table class=\"bars\"><tbody>";
  for (const ReportBars::Bar& bar : bars.bars) {
    const double from = at(std::min(0.0, bar.value)), to = at(std::max(0.0, bar.value));
    const char* look = bar.depth > 0 ? "bar part" : bar.value < 0 ? "bar minus" : "bar";
    text += fmt::format(
        "<tr><th scope=\"row\"{}><bdi>{}</bdi></th><td><svg viewBox=\"0 0 100 10\" "
        "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"{}\" x=\"{:.2f}\" y=\"0\" "
        "width=\"{:.2f}\" height=\"10\"/></svg></td><td class=\"n\">{:.4g}{}</td></tr>",
        bar.depth > 0 ? " class=\"inner\"" : "", html_text(bar.label), look, from, std::max(to - from, 0.3),
        bar.value, html_text(bars.unit));
  }
  return text + "</tbody></table>";
}

std::string chart_of_map(const ReportMap& map) {
  constexpr int kLevels = 16;
  double size = 0.0;
  for (const double v : map.values)
    if (std::isfinite(v)) size = std::max(size, std::abs(v));
  const bool signs = std::any_of(map.values.begin(), map.values.end(), [](double v) { return v < 0.0; });
  std::vector<std::string> paths(kLevels + 1);
  for (std::size_t i = 0; i < map.rows; ++i)
    for (std::size_t j = 0; j < map.cols; ++j) {
      const double v = map.values[i * map.cols + j];
      if (!std::isfinite(v) || size == 0.0) continue;
      const double share = signs ? (v / size + 1.0) / 2.0 : v / size;
      paths[static_cast<std::size_t>(std::lround(share * kLevels))] += fmt::format("M{} {}h1v1h-1z", j, i);
    }
  std::string text = fmt::format(
      "<svg class=\"chart map {}\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"xMidYMid meet\" role=\"img\" "
      "aria-label=\"{}\">",
      signs ? "signs" : "sizes", map.cols, map.rows, html_text(map.title));
  for (std::size_t level = 0; level < paths.size(); ++level)
    if (!paths[level].empty())
      text += fmt::format("<path class=\"m{}\" d=\"{}\"/>", signs ? level : kLevels / 2 + level / 2,
                          paths[level]);
  text += fmt::format(
      "<rect class=\"frame\" vector-effect=\"non-scaling-stroke\" x=\"0\" y=\"0\" width=\"{}\" "
      "height=\"{}\"/>",
      map.cols, map.rows);
  return text +
         fmt::format(
             "</svg><p class=\"note\">{} from {:.4g} to {:.4g}; {} x {}{}</p>", signs ? "colours" : "shades",
             signs ? -size : 0.0, size, map.whole_rows, map.whole_cols,
             map.rows < map.whole_rows || map.cols < map.whole_cols ? ", a cell is the mean of a block" : "");
}

}  // namespace claros::cli
