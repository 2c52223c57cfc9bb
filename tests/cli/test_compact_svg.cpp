// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "plot/compact_svg.hpp"

using claros::cli::compact_svg;

namespace {

using Point = std::complex<double>;
using Line = std::vector<Point>;

constexpr const char* kGroup =
    "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\" stroke-linecap=\"butt\" "
    "stroke-linejoin=\"miter\">";

std::string canvas(const std::string& inside) {
  return "<svg>\n<title>Gnuplot</title>\n<desc>Produced by GNUPLOT</desc>\n<g id=\"gnuplot_canvas\">\n"
         "<rect x=\"0\" fill=\"#ffffff\"/>\n" +
         inside + "</g>\n</svg>\n";
}

std::string group(const std::string& inside) { return std::string(kGroup) + '\n' + inside + "\n</g>\n"; }

std::string path(const Line& line) {
  std::string text;
  for (const Point& p : line)
    text += fmt::format("{}{:.2f},{:.2f} ", text.empty() ? "M" : "L", p.real(), p.imag());
  return "\t<path stroke='black'  d='" + text + "'/>";
}

/// The points of the only path of a picture, which has relative commands.
Line drawn(const std::string& svg) {
  const std::size_t begin = svg.find(" d='M") + 5;
  std::string text = svg.substr(begin, svg.find('\'', begin) - begin);
  std::ranges::replace_if(
      text, [](char c) { return c == 'l' || c == ','; }, ' ');
  std::istringstream numbers(text);
  Line line;
  for (double x = 0.0, y = 0.0; numbers >> x >> y;)
    line.push_back(line.empty() ? Point(x, y) : line.back() + Point(x, y));
  return line;
}

double distance(Point p, const Line& line) {
  double least = std::abs(p - line.front());
  for (std::size_t k = 1; k < line.size(); ++k) {
    const Point along = line[k] - line[k - 1];
    const double share = std::real((p - line[k - 1]) * std::conj(along)) / std::norm(along);
    least = std::min(least, std::abs(p - line[k - 1] - std::clamp(share, 0.0, 1.0) * along));
  }
  return least;
}

}  // namespace

TEST_CASE("compact_svg: a line keeps its ends and stays within a third of a pixel of every point") {
  std::mt19937 random(7);
  std::normal_distribution<double> step(0.0, 0.4);
  for (const std::size_t points : {2u, 3u, 400u, 401u, 3000u}) {
    CAPTURE(points);
    Line line{{10.0, 20.0}};
    while (line.size() < points) line.push_back(line.back() + Point(0.31, step(random)));
    const Line kept = drawn(compact_svg(canvas(group(path(line)))));
    REQUIRE(!kept.empty());
    CHECK(std::abs(kept.front() - line.front()) <= 0.08);
    CHECK(std::abs(kept.back() - line.back()) <= 0.08);
    for (const Point& p : line) CHECK(distance(p, kept) <= 0.33);
    if (points == 3000) CHECK(kept.size() < 2000);
  }
}

TEST_CASE("compact_svg: points on a straight line go, and a peak of one point stays") {
  Line line;
  for (int k = 0; k <= 300; ++k) line.emplace_back(k, k == 123 ? 40.0 : 50.0);
  CHECK(drawn(compact_svg(canvas(group(path(line))))) ==
        Line{{0, 50}, {122, 50}, {123, 40}, {124, 50}, {300, 50}});
}

TEST_CASE("compact_svg: shared attributes stand once, empty groups go, like groups are joined") {
  const std::string svg =
      compact_svg(canvas(group("") + group("<path stroke='red' d='M1,1 L2,2 M3,3 '/>") + group("") +
                         "<g id=\"gnuplot_plot_1\" ><title>gnuplot_plot_1</title>\n" + group("") + "</g>\n" +
                         group("<polygon fill = 'red' points = '0,0 4,0 4.04,4 0,0'/>") +
                         group("<path stroke='red' d='M0,0 C1,1 2,2 3,3'/>")));
  CHECK(svg ==
        "<svg>\n<desc>Produced by GNUPLOT</desc>\n"
        "<g id=\"gnuplot_canvas\" fill=\"none\" color=\"black\" stroke=\"currentColor\" "
        "stroke-linecap=\"butt\" stroke-linejoin=\"miter\" font-family=\"sans-serif\">\n"
        "<rect stroke=\"none\" x=\"0\" fill=\"#ffffff\"/>\n"
        "<g stroke-width=\"1.00\">\n"
        "<path stroke='red' d='M1,1l1,1'/>\n"
        "<path fill = 'red' d='M0,0l4,0 0,4 -4,-4z'/>\n"
        "<path stroke='red' d='M0,0 C1,1 2,2 3,3'/>\n"
        "</g>\n</g>\n</svg>\n");
}

TEST_CASE("compact_svg: a mark is defined once for each look") {
  const auto mark = [](const char* symbol, const char* at, const char* colour) {
    return fmt::format("<use xlink:href='#{}' transform='translate({}) scale(3.41)' color='{}'/>\n", symbol,
                       at, colour);
  };
  const std::string svg =
      compact_svg(canvas(group(mark("gpPt6", "1.06,2.00", "red") + mark("gpPt6", "3,4.44", "red") +
                               mark("gpPt6", "5,6", "blue") + "<use xlink:href='#gpDot' x='1' y='2'/>\n")));
  CHECK(svg.find(
            "<defs><g id='m0'><use xlink:href='#gpPt6' transform=' scale(3.41)' color='red'/></g></defs>\n"
            "<use xlink:href='#m0' x='1.1' y='2'/>\n<use xlink:href='#m0' x='3' y='4.4'/>\n"
            "<defs><g id='m1'><use xlink:href='#gpPt6' transform=' scale(3.41)' color='blue'/></g></defs>\n"
            "<use xlink:href='#m1' x='5' y='6'/>\n<use xlink:href='#gpDot' x='1' y='2'/>\n") != svg.npos);
}

TEST_CASE("compact_svg: labels stay as they are, whatever they say") {
  const std::string label = "a fill=\"none\" font-family=\"sans-serif\"   &lt;g&gt; &lt;/text&gt;";
  const std::string svg = compact_svg(
      canvas(group("<g transform=\"translate(1,2)\">\n<text><tspan font-family=\"sans-serif\" >" + label +
                   "</tspan><tspan font-size=\"13.0\" dy=\"6.50\"></tspan></text>\n</g>")));
  CHECK(svg.find("<text><tspan>" + label + "</tspan></text>\n") != svg.npos);
  const std::string titled = compact_svg(
      canvas("<g id=\"gnuplot_plot_1\" ><title>alone</title>\n" + group(path({{1, 2}, {3, 4}})) + "</g>\n"));
  CHECK(titled.find("<g>\n<title>alone</title>\n<g stroke-width=\"1.00\">\n") != titled.npos);
}
