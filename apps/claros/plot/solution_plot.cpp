// SPDX-License-Identifier: BSD-3-Clause
#include "plot/solution_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace claros::cli {

namespace {

using ViewKind = SolutionView::Kind;

std::string block(const SolutionView& view) {
  std::string text = "$x << EOD\n";
  for (Index i = 0; i < view.values.rows; ++i)
    for (Index j = 0; j < view.values.cols; ++j)
      text += fmt::format("{:.9g}{}", entry_of(view.values, i, j), j + 1 < view.values.cols ? ' ' : '\n');
  return text + "EOD\n";
}

std::pair<double, double> range_of(const DenseTable& x) {
  const auto [low, high] = std::ranges::minmax(x.values);
  return {low, high > low ? high : low + 1.0};
}

std::string bar_tics(const SolutionView& view) {
  std::string tics;
  for (std::size_t k = 0; k < view.labels.size(); ++k)
    tics += fmt::format("{}{} {}", k ? ", " : "", gnuplot_text(view.labels[k]), k);
  return fmt::format("set ytics ({}) noenhanced\nset yrange [{}.5:-0.5]\n", tics,
                     static_cast<Index>(view.labels.size()) - 1);
}

/// Grey from 0 on; for both signs blue, white and red.
std::string map_look(const SolutionView& view) {
  const auto [low, high] = range_of(view.values);
  const double most = std::max(std::abs(low), std::abs(high));
  const bool signs = low < -1e-3 * most && high > 1e-3 * most && low < -0.1 * high;
  return signs ? fmt::format(
                     "set palette defined (-1 '#0072B2', 0 '#ffffff', 1 '#D55E00')\nset cbrange "
                     "[{:.9g}:{:.9g}]\n",
                     -most, most)
               : fmt::format("set palette gray\nset cbrange [{:.9g}:{:.9g}]\n", low, high);
}

/// A picture within SVG is smoothed by browsers; rectangles are not, and are few enough in a small map.
std::string map_lines(const SolutionView& view) {
  constexpr std::size_t kMostRectangles = 20'000;
  return map_look(view) +
         fmt::format(
             "set xrange [0.5:{0}.5] noextend\nset yrange [{1}.5:0.5] noextend\nset size ratio {2:.9g}\n"
             "plot $x matrix using ($1+1):($2+1):3 with image {3}notitle\n",
             view.values.cols, view.values.rows,
             std::clamp(static_cast<double>(view.values.rows) / static_cast<double>(view.values.cols), 0.1,
                        10.0),
             view.values.values.size() <= kMostRectangles ? "pixels " : "");
}

/// The columns of a picture of `width` characters, each of which is about twice as high as it is wide.
std::string map_text(const DenseTable& x, std::size_t width) {
  constexpr std::string_view kLevels = " .:-=+*#%@";
  const auto [low, high] = range_of(x);
  const Index cols = std::min<Index>(x.cols, static_cast<Index>(width)),
              rows = std::max<Index>(1, x.rows * cols / (2 * x.cols));
  std::string text;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      double sum = 0.0;
      Index count = 0;
      for (Index i = r * x.rows / rows; i < (r + 1) * x.rows / rows; ++i)
        for (Index j = c * x.cols / cols; j < (c + 1) * x.cols / cols; ++j) sum += entry_of(x, i, j), ++count;
      const double level = (sum / static_cast<double>(count) - low) / (high - low);
      text += kLevels[static_cast<std::size_t>(std::clamp(level * 10.0, 0.0, 9.0))];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text + fmt::format("' ' is {:.3g}, '@' is {:.3g}\n", low, high);
}

std::string numbers_text(const DenseTable& x) {
  std::string text;
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) text += fmt::format("{:>10.3g}", entry_of(x, i, j));
    text += '\n';
  }
  return text;
}

std::string bars_text(const SolutionView& view, std::size_t width) {
  std::size_t label = 0;
  double most = 0.0;
  for (const std::string& text : view.labels) label = std::max(label, text.size());
  for (const double value : view.values.values) most = std::max(most, std::abs(value));
  const auto room = static_cast<double>(width > label + 30 ? width - label - 15 : 15);
  std::string text;
  for (std::size_t k = 0; k < view.labels.size(); ++k) {
    const double value = view.values.values[k];
    const auto length = most > 0.0 ? static_cast<std::size_t>(std::lround(room * std::abs(value) / most)) : 0;
    text += fmt::format("{:<{}} {:>12.5g} {}\n", view.labels[k], label, value,
                        std::string(length, value < 0.0 ? '-' : '#'));
    if (length == 0) text.replace(text.size() - 2, 2, "\n");
  }
  return text;
}

std::string pairs_text(const SolutionView& view) {
  std::string text;
  for (std::size_t i = 0; i < view.column.size(); ++i)
    text += view.labels[i] + " -> " +
            view.labels[static_cast<std::size_t>(view.values.rows + view.column[i])] + '\n';
  return text;
}

/// A curve as a map of marks: rows from the largest value down.
std::string line_text(const DenseTable& x, std::size_t width) {
  constexpr Index kRows = 20;
  const auto [low, high] = range_of(x);
  const Index cols = std::min<Index>(x.rows, static_cast<Index>(width) - 12);
  std::vector<std::string> page(kRows, std::string(static_cast<std::size_t>(cols), ' '));
  for (Index k = 0; k < x.rows; ++k) {
    const double share = (x.values[static_cast<std::size_t>(k)] - low) / (high - low);
    const auto row = static_cast<std::size_t>(std::lround((1.0 - share) * (kRows - 1)));
    page[row][static_cast<std::size_t>(k * cols / x.rows)] = '*';
  }
  std::string text;
  for (std::size_t r = 0; r < page.size(); ++r) {
    text += fmt::format("{:>10} |{}",
                        r == 0                 ? fmt::format("{:.4g}", high)
                        : r + 1 == page.size() ? fmt::format("{:.4g}", low)
                                               : "",
                        page[r]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string solution_script(const SolutionView& view, const std::string& title, Picture picture) {
  std::string script = plot_terminal(picture, 0, view.kind == ViewKind::line, 1) +
                       "set format '%g'\nunset key\n" + "set title " +
                       gnuplot_text(title.empty() ? view.title : title) + " noenhanced\n" + block(view);
  if (view.kind == ViewKind::map || view.kind == ViewKind::pairs) return script + map_lines(view);
  const std::string colour = fmt::format("lc rgb '{}'", curve_colour(0));
  if (view.kind == ViewKind::line)
    return script + "set xlabel 'index'\nset autoscale xfix\nplot $x using ($0+1):1 with lines lw 2 " +
           colour + '\n';
  return script + bar_tics(view) +
         "set style fill solid\n"
         "plot $x using ($1/2):0:(abs($1)/2):(0.4) with boxxyerror " +
         colour + '\n';
}

std::string solution_text(const SolutionView& view, const std::string& title, std::size_t width) {
  constexpr Index kMostRows = 30;
  const std::string head = (title.empty() ? view.title : title) + '\n';
  if (view.kind == ViewKind::pairs) return head + pairs_text(view);
  if (view.kind == ViewKind::bars) return head + bars_text(view, width);
  if (view.kind == ViewKind::line) return head + line_text(view.values, width);
  const bool small = view.values.rows <= kMostRows && 10 * view.values.cols <= static_cast<Index>(width);
  return head + (small ? numbers_text(view.values) : map_text(view.values, width));
}

}  // namespace claros::cli
