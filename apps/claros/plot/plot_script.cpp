// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace claros::cli {

namespace {

constexpr std::array kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr std::array kDashes{"solid", "(10,4)", "(2,3)", "(10,3,2,3)", "(18,5)"};
constexpr const char* kLevelLook = "with lines lc rgb '#555555' dt (6,5) lw 1.5";
constexpr std::array kMarks{7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

/// On a logarithmic axis of less than two decades the powers of ten alone say little.
std::string tics(const std::string& axis, const Extent& e, Picture picture) {
  if (e.high / e.low >= 100.0)
    return fmt::format("set format {} '{}'\n", axis, picture == Picture::terminal ? "%.0e" : "10^{%L}");
  std::string list;
  const bool narrow = e.high / e.low < 5.0;
  for (double decade = std::pow(10.0, std::floor(std::log10(e.low))); decade <= e.high; decade *= 10.0)
    for (const int digit : {1, 2, 3, 4, 5, 6, 7, 8, 9})
      if (narrow || digit == 1 || digit == 2 || digit == 5)
        list += fmt::format("{}'{:g}' {:.17g}", list.empty() ? "" : ", ", digit * decade, digit * decade);
  return fmt::format("set {}tics ({})\nset {}range [{:.17g}:{:.17g}]\n", axis, list, axis, e.low / 1.05,
                     e.high * 1.05);
}

std::string legend(const Figure& figure, Picture picture, bool beside) {
  if (picture == Picture::terminal)
    return fmt::format("set key noenhanced below left Left reverse maxcols {}\n", beside ? 2 : 1);
  const std::string key = "set key noenhanced spacing 1.2 samplen 3 Left reverse ";
  if (figure.curves.size() == 1) return key + "above left\n";
  return key + (beside ? "outside right top width 1\n" : "below center maxcols 3 width 2\n");
}

/// The label that names the band and the line of several runs.
std::string y_label(const Figure& figure) {
  const bool bands = std::any_of(figure.curves.begin(), figure.curves.end(),
                                 [](const Curve& c) { return c.band.members > 1; });
  return figure.y_label.empty() ? std::string() : figure.y_label + (bands ? " (median, quartiles)" : "");
}

/// The extent of a figure in y.
Extent y_extent(const Figure& figure) {
  Extent y;
  for (const Curve& curve : figure.curves)
    for (std::size_t k = 0; k < curve.band.x.size(); ++k)
      y.add(curve.band.lower[k]), y.add(curve.band.upper[k]);
  if (!figure.level.label.empty()) y.add(figure.level.y);
  return y;
}

bool is_empty(const Extent& e) { return !(e.low <= e.high); }
bool is_flat(const Extent& e) {
  return !(e.high - e.low > 1e-12 * std::max(std::abs(e.low), std::abs(e.high)));
}

/// A little more than `y`.
std::string y_range(const Extent& y, bool logarithmic) {
  if (is_empty(y) || is_flat(y)) return {};
  const double room = 0.04 * (y.high - y.low), factor = std::pow(y.high / y.low, 0.03);
  return logarithmic ? fmt::format("set yrange [{:.17g}:{:.17g}]\n", y.low / factor, y.high * factor)
                     : fmt::format("set yrange [{:.17g}:{:.17g}]\n", y.low - room, y.high + room);
}

std::string axes(const Figure& figure, Picture picture, Extent y) {
  Extent x;
  for (const Curve& curve : figure.curves)
    for (const double value : curve.band.x) x.add(value);
  if (is_empty(x)) x.add(1.0);  // a panel without a curve, as where all runs diverged
  if (is_empty(y)) y.add(1.0);
  std::string text =
      "set autoscale xfix\nset format xy '%g'\nset xlabel " + gnuplot_text(figure.x_label) + " noenhanced\n";
  // A terminal cannot rotate the label of the y axis: it is written above the picture.
  const bool above = picture == Picture::terminal;
  const std::string join = above && !figure.title.empty() ? ": " : "";
  const std::string title = figure.title + join + (above ? y_label(figure) : "");
  if (!above)
    text += "set xlabel offset 0,0.3\nset ylabel " + gnuplot_text(y_label(figure)) + " noenhanced\n";
  if (!title.empty()) text += "set title " + gnuplot_text(title) + " noenhanced\n";
  if (figure.log_x) text += "set logscale x\n" + tics("x", x, picture);
  if (figure.log_y) text += "set logscale y\n" + tics("y", y, picture);
  // A flat curve, or a single point, would leave gnuplot without a range.
  const auto around = [](const char* axis, double at, bool logarithmic) {
    const double room = std::abs(at) > 0.0 ? 0.5 * std::abs(at) : 1.0;
    return fmt::format("set {}range [{:.17g}:{:.17g}]\n", axis, logarithmic ? at / 2.0 : at - room,
                       logarithmic ? at * 2.0 : at + room);
  };
  if (is_flat(x)) text += around("x", x.low, figure.log_x);
  if (is_flat(y)) text += around("y", y.low, figure.log_y);
  return text;
}

std::string data(const Band& band, std::size_t number, const std::string& figure = {}) {
  std::string text = fmt::format("$curve{}{} << EOD\n", figure, number);
  for (std::size_t k = 0; k < band.x.size(); ++k)
    text += fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}\n", band.x[k], band.lower[k], band.median[k],
                        band.upper[k]);
  return text + "EOD\n";
}

/// Curves of one look have one colour in all figures.
std::size_t look_of(const Figure& figure, std::size_t k) {
  const std::size_t look = figure.curves[k].look;
  return look == Curve::kByPlace ? k : look;
}

std::string line(const Curve& curve, std::size_t k, const std::string& figure) {
  const std::size_t points = curve.band.x.size();
  return fmt::format(
      "$curve{}{} using 1:3 with linespoints lc rgb '{}' dt {} lw 2 pt {} ps 0.7 pi {} title {}", figure, k,
      kColours[k % kColours.size()], kDashes[k % kDashes.size()], kMarks[k % kMarks.size()],
      std::max<std::size_t>(1, points / 10), gnuplot_text(curve.label));
}

/// In a small panel: where curves lie on each other, those below are wider, and no two have their marks at
/// the same points.
std::string panel_line(const Curve& curve, std::size_t k, std::size_t look, std::size_t curves,
                       const std::string& figure) {
  const std::size_t every = std::max<std::size_t>(1, curve.band.x.size() / 8), first = k * every / curves;
  const double width = 2.0 + 0.6 * static_cast<double>(curves - 1 - k);
  const std::string colour = kColours[look % kColours.size()];
  return fmt::format(
      "$curve{0}{1} using 1:3 with lines lc rgb '{2}' dt {3} lw {4:.1f} notitle, \\\n  $curve{0}{1} using "
      "1:3 every {5}::{6} with points lc "
      "rgb '{2}' pt {7} ps 0.7 notitle",
      figure, k, colour, kDashes[look % kDashes.size()], width, every, first, kMarks[look % kMarks.size()]);
}

std::string plots(const Figure& figure, Picture picture, const std::string& name = {}) {
  std::string text;
  const auto add = [&text](const std::string& plot) { text += (text.empty() ? "plot " : ", \\\n  ") + plot; };
  for (std::size_t k = 0; k < figure.curves.size(); ++k)
    if (picture != Picture::terminal && figure.curves[k].band.members > 1 && !figure.curves[k].band.x.empty())
      add(fmt::format(
          "$curve{}{} using 1:2:4 with filledcurves fc rgb '{}' fs transparent solid 0.18 noborder notitle",
          name, k, kColours[look_of(figure, k) % kColours.size()]));
  for (std::size_t k = 0; k < figure.curves.size(); ++k)
    if (!figure.curves[k].band.x.empty())
      add(picture == Picture::terminal ? fmt::format("$curve{} using 1:3 with lines lt {} title {}", k, k + 1,
                                                     gnuplot_text(" " + figure.curves[k].label))
          : name.empty()               ? line(figure.curves[k], k, name)
                         : panel_line(figure.curves[k], k, look_of(figure, k), figure.curves.size(), name));
  if (text.empty()) add("NaN notitle");
  if (!figure.level.label.empty()) add(fmt::format("{:.17g} {}", figure.level.y, kLevelLook) + " notitle");
  return text + '\n';
}

}  // namespace

std::string gnuplot_text(const std::string& text) {
  std::string result = "\"";
  bool octal = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    octal = c == '`' || (octal && byte >= '0' && byte <= '9');
    if (octal)
      result += fmt::format("\\{:03o}", byte);
    else if (byte < 0x20 || byte == 0x7F)
      result += ' ';
    else
      result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return result + '"';
}

std::string plot_terminal(Picture picture, std::size_t width, bool wide, std::size_t curves) {
  switch (picture) {
    case Picture::svg:
      return fmt::format("set terminal svg size {},480 enhanced font 'sans-serif,14' background '#ffffff'\n",
                         wide ? 960 : 760);
    case Picture::png:
      return fmt::format(
          "set terminal pngcairo size {},960 enhanced font 'Sans,24' linewidth 2 pointscale 1.6 background "
          "'#ffffff'\n",
          wide ? 1920 : 1520);
    case Picture::pdf:
      return fmt::format(
          "set terminal pdfcairo size {},5in enhanced font 'Sans,10' linewidth 1.2 background '#ffffff'\n",
          wide ? "10in" : "7.9in");
    case Picture::terminal:
      break;
  }
  return fmt::format("set terminal dumb {} {} noenhanced mono\n", width,
                     std::clamp<std::size_t>(width * 3 / 10, 22, 30) + (wide ? (curves + 1) / 2 : curves));
}

const char* curve_colour(std::size_t k) { return kColours[k % kColours.size()]; }

namespace {

/// Keeps the ends, and the least and largest number of each of equal stretches of the axis.
void thin(Band& band, bool log_x) {
  constexpr std::size_t kMost = 400, kStretches = kMost / 2 - 1;
  const std::size_t size = band.x.size();
  if (size <= kMost) return;
  const auto place = [&](std::size_t k) { return log_x ? std::log(band.x[k]) : band.x[k]; };
  const double from = place(0), stretch = (place(size - 1) - from) / static_cast<double>(kStretches);
  std::vector<std::size_t> kept{0};
  std::size_t first = 0;
  for (std::size_t s = 1; s <= kStretches; ++s) {
    std::size_t end = first;
    while (end < size && (s == kStretches || place(end) < from + stretch * static_cast<double>(s))) ++end;
    if (end == first) continue;
    const auto at = [&](std::size_t k) { return band.median.begin() + static_cast<std::ptrdiff_t>(k); };
    const auto [least, largest] = std::minmax_element(at(first), at(end));
    const auto [one, other] = std::minmax({least - at(0), largest - at(0)});
    for (const auto k : {one, other}) kept.push_back(static_cast<std::size_t>(k));
    first = end;
  }
  kept.push_back(size - 1);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (std::vector<double>* column : {&band.x, &band.lower, &band.median, &band.upper}) {
    std::vector<double> some;
    for (const std::size_t k : kept) some.push_back((*column)[k]);
    *column = std::move(some);
  }
}

}  // namespace

std::size_t keep_drawable(Figure& figure) {
  std::size_t dropped = 0;
  const auto drawable = [](double value, bool logarithmic) {
    return std::isfinite(value) && (!logarithmic || value > 0.0);
  };
  for (Curve& curve : figure.curves) {
    const Band all = std::exchange(curve.band, {});
    curve.band.members = all.members;
    for (std::size_t k = 0; k < all.x.size(); ++k) {
      if (!drawable(all.x[k], figure.log_x) || !drawable(all.lower[k], figure.log_y) ||
          !drawable(all.median[k], figure.log_y) || !drawable(all.upper[k], figure.log_y)) {
        ++dropped;
        continue;
      }
      curve.band.x.push_back(all.x[k]);
      curve.band.lower.push_back(all.lower[k]);
      curve.band.median.push_back(all.median[k]);
      curve.band.upper.push_back(all.upper[k]);
    }
    thin(curve.band, figure.log_x);
  }
  return dropped;
}

std::string plot_script(const Figure& figure, Picture picture, std::size_t width) {
  constexpr std::size_t kBeside = 18;
  std::size_t longest = 0;
  for (const Curve& curve : figure.curves) longest = std::max(longest, curve.label.size());
  const bool beside = longest <= kBeside, wide = beside && figure.curves.size() > 1;
  std::string script =
      "set encoding utf8\n" + plot_terminal(picture, width, wide, figure.curves.size()) +
      "set border 3\nset tics nomirror out\nset grid back lc rgb '#dddddd' lt 1 dt solid lw 0.5\n";
  if (picture == Picture::terminal) script += "unset grid\n";
  script += legend(figure, picture, beside) + axes(figure, picture, y_extent(figure));
  for (std::size_t k = 0; k < figure.curves.size(); ++k) script += data(figure.curves[k].band, k);
  return script + plots(figure, picture);
}

namespace {

/// The places in a grid of panels, in pixels from the lower left corner.
class GridLayout {
 public:
  GridLayout(const FigureGrid& grid)
      : rows_(grid.rows.size()),
        columns_(grid.rows.front().size()),
        panel_width_(std::max<std::size_t>(kPanelWidth, kLeastWidth / columns_)),
        panel_height_(kPanelHeight + (rows_ == 1 ? kPanelHeight / 4 : 0)),
        gap_y_(kGapY + (labelled_between(grid) ? kLineHeight + 14 : 0)),
        legend_height_(kLineHeight * legend_lines(grid.rows.front().front())),
        title_(folded(grid.title, width() / kLetterWidth)) {}

  std::size_t width() const { return kLeft + columns_ * panel_width_ + (columns_ - 1) * kGapX + kRight; }
  std::size_t height() const {
    return legend_height_ + kBottom + rows_ * panel_height_ + (rows_ - 1) * gap_y_ + kTop +
           kLineHeight * (title_.size() - 1);
  }
  std::string panel(std::size_t row, std::size_t column) const {
    const std::size_t left = kLeft + column * (panel_width_ + kGapX),
                      bottom = legend_height_ + kBottom + (rows_ - 1 - row) * (panel_height_ + gap_y_);
    return margins(left, left + panel_width_, bottom, bottom + panel_height_);
  }
  /// The title in lines that fit.
  std::string title() const {
    std::string text;
    for (const std::string& line : title_) text += (text.empty() ? "" : "\\n") + unquoted(line);
    return '"' + text + '"';
  }
  std::string legend() const { return margins(kRight, width() - kRight, 0, legend_height_); }

 private:
  // gnuplot leaves out a label of y for which the tics leave no room: 10^{-12} takes most.
  static constexpr std::size_t kPanelWidth = 270, kPanelHeight = 210, kLeastWidth = 560, kLeft = 108,
                               kRight = 34, kTop = 66, kBottom = 60, kGapX = 68, kGapY = 40, kLineHeight = 22,
                               kLetterWidth = 9;

  static std::string unquoted(const std::string& text) {
    const std::string quoted = gnuplot_text(text);
    return quoted.substr(1, quoted.size() - 2);
  }
  /// Lines of at most `most` letters, broken between words.
  static std::vector<std::string> folded(const std::string& text, std::size_t most) {
    std::vector<std::string> lines{""};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) lines.emplace_back();
      lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    return lines;
  }

  /// True if a row above the last has a label under its x axis.
  static bool labelled_between(const FigureGrid& grid) {
    return std::any_of(grid.rows.begin(), grid.rows.end() - 1,
                       [](const auto& row) { return !row.front().x_label.empty(); });
  }
  /// A sample and the label, as wide as gnuplot takes them.
  std::size_t legend_lines(const Figure& figure) const {
    std::size_t longest = 0;
    for (const Curve& curve : figure.curves) longest = std::max(longest, curve.label.size());
    const std::size_t across = std::max<std::size_t>(1, width_of_panels() / (110 + 8 * longest));
    return (figure.curves.size() + (figure.level.label.empty() ? 0 : 1) + across - 1) / across;
  }
  std::size_t width_of_panels() const { return kLeft + columns_ * panel_width_ + (columns_ - 1) * kGapX; }
  std::string margins(std::size_t left, std::size_t right, std::size_t bottom, std::size_t top) const {
    const auto share = [](std::size_t part, std::size_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    return fmt::format(
        "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\nset bmargin at screen {:.4f}\nset "
        "tmargin at screen {:.4f}\n",
        share(left, width()), share(right, width()), share(bottom, height()), share(top, height()));
  }

  std::size_t rows_, columns_, panel_width_, panel_height_, gap_y_, legend_height_;
  std::vector<std::string> title_;
};

/// About four tics on a narrow axis; those of large numbers in thousands (k), millions (M), ..., which have
/// room side by side.
std::string x_tics(const Figure& figure) {
  Extent x;
  for (const Curve& curve : figure.curves)
    for (const double value : curve.band.x) x.add(value);
  const double rough = (x.high - x.low) / 4.0;
  if (figure.log_x || !(rough > 0.0) || !std::isfinite(rough)) return {};
  const double decade = std::pow(10.0, std::floor(std::log10(rough))), digit = rough / decade;
  const double apart = decade * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
  if (x.low < 0.0 || x.high < 1e5 || x.high >= 1e15) return fmt::format("set xtics {:.17g}\n", apart);
  const auto thousands = static_cast<std::size_t>(std::log10(x.high) / 3.0);
  const double unit = std::pow(1000.0, static_cast<double>(thousands));
  std::string list;
  for (double k = std::ceil(x.low / apart); k * apart <= x.high; ++k)
    list += fmt::format("{}'{:g}{}' {:.17g}", list.empty() ? "" : ", ", k * apart / unit,
                        k == 0.0 ? "" : std::string(1, " kMGT"[thousands]), k * apart);
  return "set xtics (" + list + ")\n";
}

std::string grid_terminal(Picture picture, const GridLayout& layout) {
  if (picture == Picture::svg)
    return fmt::format("set terminal svg size {},{} enhanced font 'sans-serif,13' background '#ffffff'\n",
                       layout.width(), layout.height());
  return fmt::format("set terminal pngcairo size {},{} enhanced font 'Sans,13' background '#ffffff'\n",
                     layout.width(), layout.height());
}

/// An empty plot under the panels: a key is never wider than its plot.
std::string legend_below(const Figure& figure, const GridLayout& layout) {
  std::string text =
      layout.legend() +
      "unset border\nunset tics\nunset grid\nunset title\nunset xlabel\nunset ylabel\nunset logscale\n"
      "set key noenhanced center center horizontal samplen 3 width 2\nset xrange [0:1]\nset yrange "
      "[0:1]\nplot ";
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    const std::size_t look = look_of(figure, k);
    text += fmt::format("{}NaN with linespoints lc rgb '{}' dt {} lw 2 pt {} ps 0.7 title {}", k ? ", " : "",
                        kColours[look % kColours.size()], kDashes[look % kDashes.size()],
                        kMarks[look % kMarks.size()], gnuplot_text(figure.curves[k].label));
  }
  if (!figure.level.label.empty())
    text += fmt::format(", NaN {} title {}", kLevelLook, gnuplot_text(figure.level.label));
  return text + '\n';
}

}  // namespace

std::string grid_script(const FigureGrid& grid, Picture picture) {
  const std::size_t rows = grid.rows.size(), columns = grid.rows.front().size();
  const GridLayout layout(grid);
  std::string script = "set encoding utf8\n" + grid_terminal(picture, layout) +
                       "set border 3\nset tics nomirror out\nset xtics rotate by 0\nset grid back lc rgb "
                       "'#dddddd' lt 1 dt solid lw 0.5\n";
  const auto name = [](std::size_t r, std::size_t c) { return fmt::format("r{}c{}k", r, c); };
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t k = 0; k < grid.rows[r][c].curves.size(); ++k)
        if (!grid.rows[r][c].curves[k].band.x.empty())
          script += data(grid.rows[r][c].curves[k].band, k, name(r, c));
  script += "set multiplot title " + layout.title() + " noenhanced\n";
  for (std::size_t r = 0; r < rows; ++r) {
    Extent shared;
    for (const Figure& panel : grid.rows[r])
      if (const Extent y = y_extent(panel); y.low <= y.high) shared.add(y.low), shared.add(y.high);
    for (std::size_t c = 0; c < columns; ++c) {
      script +=
          "unset logscale\nunset title\nunset xlabel\nunset ylabel\nset xtics autofreq\nset ytics "
          "autofreq\nset autoscale\nset mxtics 1\n";
      script += "unset key\n" + layout.panel(r, c) + axes(grid.rows[r][c], picture, shared) +
                y_range(shared, grid.rows[r][c].log_y) + x_tics(grid.rows[r][c]) +
                plots(grid.rows[r][c], picture, name(r, c));
    }
  }
  return script + legend_below(grid.rows.front().front(), layout) + "unset multiplot\n";
}

}  // namespace claros::cli
