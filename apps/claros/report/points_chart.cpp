// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/svg_axes.hpp"

namespace claros::cli {

namespace {

/// The line of a perfect fit, within the axes.
std::string svg_fit_line(const ReportPoints& points, const AxisScale& across, const AxisScale& up) {
  const double low = points.diagonal ? std::max(across.low, up.low) : across.low,
               high = points.diagonal ? std::min(across.high, up.high) : across.high;
  if (!(low < high)) return {};
  return fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", across(low),
                     up(points.diagonal ? low : 0.0), across(high), up(points.diagonal ? high : 0.0));
}

/// A node as a circle with its label within, or beside it.
std::string svg_node(const ReportGraph::Node& node, double x, double y, bool outside) {
  if (!outside)
    return fmt::format(
        "<circle class=\"node\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"15\"/><text class=\"label\" x=\"{0:.1f}\" "
        "y=\"{2:.1f}\" text-anchor=\"middle\">{3}</text>",
        x, y, y + 4.5, html_text(node.label));
  const bool left = node.x < 0.5;
  return fmt::format(
      "<circle class=\"node\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"3\"/><text class=\"tick\" x=\"{2:.1f}\" "
      "y=\"{3:.1f}\" text-anchor=\"{4}\">{5}</text>",
      x, y, x + (left ? -8 : 8), y + 4.5, left ? "end" : "start", html_text(node.label));
}

}  // namespace

std::string chart_of_points(const ReportPoints& points) {
  AxisScale across, up;
  for (std::size_t k = 0; k < points.across.size(); ++k) across.add(points.across[k]), up.add(points.up[k]);
  if (!points.diagonal) up.add(0.0);
  across.settle(0.03), up.settle(0.04), fill_chart(across, up);
  std::string marks;
  for (const std::size_t k : decimated({points.up, points.across}, kReportPoints))
    if (across.shows(points.across[k]) && up.shows(points.up[k]))
      marks += fmt::format("M{:.1f} {:.1f}h0", across(points.across[k]), up(points.up[k]));
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                     kChartWidth, kChartHeight, html_text(points.title)) +
         svg_axes(across, up, points.x, points.y) + svg_fit_line(points, across, up) +
         fmt::format("<path class=\"points{} s0\" d=\"{}\"/></svg>", points.up.size() < 30 ? " few" : "",
                     marks);
}

std::string chart_of_graph(const ReportGraph& graph) {
  const double room = graph.labels_outside ? 150 : 30;
  std::size_t in_column = 1;
  for (const ReportGraph::Node& node : graph.nodes)
    in_column = std::max(in_column, static_cast<std::size_t>(std::count_if(
                                        graph.nodes.begin(), graph.nodes.end(),
                                        [&](const ReportGraph::Node& other) { return other.x == node.x; })));
  const double height =
      std::max(120.0, (graph.labels_outside ? 22.0 : 80.0) * static_cast<double>(in_column));
  const auto x_of = [&](const ReportGraph::Node& n) { return room + n.x * (kChartWidth - 2 * room); };
  const auto y_of = [&](const ReportGraph::Node& n) { return 20 + n.y * (height - 40); };
  double most = 0.0;
  for (const ReportGraph::Arc& arc : graph.arcs) most = std::max(most, std::abs(arc.weight));
  std::string text =
      fmt::format("<svg class=\"chart graph\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">",
                  kChartWidth, height, html_text(graph.title));
  for (const ReportGraph::Arc& arc : graph.arcs) {
    const auto &from = graph.nodes[arc.from], &to = graph.nodes[arc.to];
    const double x0 = x_of(from), y0 = y_of(from), x1 = x_of(to), y1 = y_of(to);
    const double widest = graph.labels_outside ? 1.0 : 5.0;
    const double bend = graph.labels_outside ? 0.0 : 0.12;  // arcs between the same columns stay apart
    text += fmt::format(
        "<path class=\"line {}\" stroke-width=\"{:.1f}\" d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} "
        "{:.1f}\"/>",
        arc.weight == 0.0 ? "rest" : "s0", most > 0.0 ? 1.0 + widest * std::abs(arc.weight) / most : 1.0, x0,
        y0, (x0 + x1) / 2 + bend * (y1 - y0), (y0 + y1) / 2 - bend * (x1 - x0), x1, y1);
  }
  for (const ReportGraph::Node& node : graph.nodes)
    text += svg_node(node, x_of(node), y_of(node), graph.labels_outside);
  return text + "</svg>";
}

}  // namespace claros::cli
