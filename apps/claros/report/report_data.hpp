// SPDX-License-Identifier: BSD-3-Clause
/// @file report_data.hpp  The contents of a page about results, before they are HTML. All texts are verbatim:
/// file names and labels may hold anything, and the page escapes them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace claros::cli {

/// A column that a figure can have on one of its axes.
struct ReportAxis {
  std::string name, label;
};

/// The numbers of one run by the names of its columns, equally many in each; NaN if one is not known.
using ReportColumns = std::map<std::string, std::vector<double>>;

/// One run, or several with other seeds, drawn as their median and quartiles.
struct ReportCurve {
  std::string label;
  std::vector<ReportColumns> members;
  bool background = false;  ///< thin and grey, without an entry in the legend
};

struct ReportFigure {
  std::string title;
  std::vector<ReportAxis> x, y;  ///< what a reader can choose from; the first ones are shown
  std::vector<ReportCurve> curves;
  bool log_x = false, log_y = false;
  bool falling_x = false;    ///< x decreases from left to right, as lambda along a path
  std::string lower, upper;  ///< columns of an error band around y; empty: none
  std::vector<std::pair<std::string, double>> marks;  ///< labels and their x
};

/// Cells that read as numbers are aligned as such, and sorted by them.
struct ReportTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// Numbers with names as horizontal bars.
struct ReportBars {
  struct Bar {
    std::string label;
    double value = 0.0;
    int depth = 0;  ///< a bar is part of the nearest one before it of a smaller depth
  };
  std::string title, unit, note;
  std::vector<Bar> bars;
};

/// A matrix as colours, each of the mean of a block of entries.
struct ReportMap {
  std::string title;
  std::size_t rows = 0, cols = 0, whole_rows = 0, whole_cols = 0;  ///< drawn, and of the matrix
  std::vector<double> values;                                      ///< row by row, rows * cols
};

/// A point a row of data: what is predicted of it against what is known.
struct ReportPoints {
  std::string title, x, y, note;
  std::vector<double> across, up;  ///< equally many
  bool diagonal = false;           ///< points of a perfect fit lie on y = x, else on y = 0
};

/// Nodes at places within a unit square, and arcs between them.
struct ReportGraph {
  struct Node {
    std::string label;
    double x = 0.0, y = 0.0;
  };
  struct Arc {
    std::size_t from = 0, to = 0;
    double weight = 1.0;  ///< 0: it is not used
  };
  std::string title, note;
  std::vector<Node> nodes;
  std::vector<Arc> arcs;
  bool labels_outside = false;  ///< left and right of the nodes, else within them
};

struct ReportText {
  std::string title, text;
};

/// A picture that was drawn elsewhere.
struct ReportPicture {
  std::string name, type, bytes;  ///< type: "image/png"
};

struct Report {
  std::string title, sentence;
  std::vector<ReportPicture> pictures;
  std::vector<ReportFigure> figures;
  std::vector<ReportTable> results, tables;  ///< before and behind the pictures of the solution
  std::vector<ReportBars> bars;
  std::vector<ReportMap> maps;
  std::vector<ReportGraph> graphs;
  std::vector<ReportPoints> points;
  std::vector<ReportText> texts;
  std::vector<std::string> warnings;
  bool live = false;  ///< the page loads itself again every few seconds
};

/// Numbers that all curves of a page hold together, and points of one curve.
inline constexpr std::size_t kReportNumbers = 400000, kReportPoints = 2000;

/// The rows to keep of `columns`, which are equally long; at most about `most`. They include the first, the
/// last, and those at which a column has its least and its largest number within each block of rows.
std::vector<std::size_t> decimated(const std::vector<std::vector<double>>& columns, std::size_t most);

/// A whole number as it is, others to six digits; "" for NaN.
std::string report_number(double value);

}  // namespace claros::cli
