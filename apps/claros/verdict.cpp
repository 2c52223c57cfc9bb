// SPDX-License-Identifier: BSD-3-Clause
#include "verdict.hpp"

#include <claros/error.hpp>
#include <claros/trace_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros::cli {

namespace {

double median(std::vector<double> values) { return quartiles(std::move(values)).median; }

double statistic(const FigureRow& row, const std::vector<double>& column) {
  std::vector<double> values;
  for (const double value : column)
    if (!std::isnan(value)) values.push_back(value);
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (row.statistic == "best") return *std::min_element(values.begin(), values.end());
  if (row.statistic == "last") return values.back();
  if (row.statistic == "median") return median(std::move(values));
  throw Error(ErrorKind::data, row.column, "'" + row.statistic + "' is no statistic",
              "write best, last or median");
}

std::string shown(const Quartiles& q) {
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", q.median, q.lower, q.upper);
}

std::string outcome(const Verdict& v) { return v.holds() ? "holds" : v.fails() ? "**fails**" : "undecided"; }

std::size_t index_of(const std::vector<Variant>& curves, const std::string& label) {
  const auto at =
      std::find_if(curves.begin(), curves.end(), [&](const Variant& v) { return v.label == label; });
  if (at == curves.end())
    throw Error(ErrorKind::data, "verdicts", "'" + label + "' is no curve", "write the label of one");
  return static_cast<std::size_t>(at - curves.begin());
}

/// A bar is the end of a cell in Markdown.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string table_of(const Experiment& e, const std::vector<std::vector<std::vector<double>>>& row) {
  std::string text = "| |";
  for (const Variant& curve : e.curves) text += ' ' + escaped(curve.label) + " |";
  text += "\n|---|";
  for (std::size_t c = 0; c < e.curves.size(); ++c) text += "---|";
  text += '\n';
  for (std::size_t p = 0; p < e.panels.size(); ++p) {
    text += "| " + escaped(e.panels[p].label) + " |";
    for (const std::vector<double>& seeds : row[p]) text += ' ' + shown(quartiles(seeds)) + " |";
    text += '\n';
  }
  return text;
}

}  // namespace

Statistics statistics_of(const Experiment& e, const Comparison& grid, const std::filesystem::path& folder) {
  const std::size_t curves = e.curves.size();
  Statistics all(e.rows.size(), {e.panels.size(), {curves, std::vector<double>()}});
  for (const ComparisonRun& run : grid.runs) {
    const auto file = folder / run.folder / "trace.csv";
    const TraceTable trace = run.folder.empty() ? TraceTable() : read_trace(file);
    for (std::size_t r = 0; r < e.rows.size(); ++r) {
      const auto* column = trace.find(e.rows[r].column);
      if (!column && !run.folder.empty())
        throw Error(ErrorKind::data, file.string(), "has no column " + e.rows[r].column);
      all[r][run.cell / curves][run.cell % curves].push_back(
          column ? statistic(e.rows[r], *column) : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return all;
}

std::vector<Verdict> verdicts_of(const Experiment& e, const Statistics& statistics) {
  std::vector<Verdict> verdicts;
  for (const Finding& finding : e.findings) {
    const std::size_t smaller = index_of(e.curves, finding.smaller),
                      larger = index_of(e.curves, finding.larger);
    for (std::size_t r = 0; r < e.rows.size(); ++r) {
      const auto& rows = finding.rows;
      if (!rows.empty() && std::find(rows.begin(), rows.end(), e.rows[r].column) == rows.end()) continue;
      for (std::size_t p = 0; p < e.panels.size(); ++p)
        verdicts.push_back(
            {&finding, r, p, ratio_of_medians(statistics[r][p][smaller], statistics[r][p][larger])});
    }
  }
  return verdicts;
}

std::string findings_page(const Experiment& e, const Comparison& grid, const Statistics& statistics,
                          const std::vector<Verdict>& verdicts, const std::string& command) {
  const Index first = grid.cells.front().seed;
  std::string text = fmt::format(
      "# {}\n\n{}\n\nMade by `{}`. Seeds {} to {}; numbers are medians over the seeds with "
      "[lower quartile, upper quartile].\n",
      e.title, e.paper, command, first, first + grid.repeats - 1);
  for (std::size_t r = 0; r < e.rows.size(); ++r)
    text += fmt::format("\n{} ({} over the run):\n\n{}", e.rows[r].label, e.rows[r].statistic,
                        table_of(e, statistics[r]));
  text +=
      "\n## Verdicts\n\nA ratio of medians with its 95% interval (paired bootstrap over the seeds). A "
      "finding holds where "
      "the whole interval is below 1, and fails where it is above.\n\n| finding | ratio of | in | panel | "
      "ratio | |\n"
      "|---|---|---|---|---|---|\n";
  for (const Verdict& v : verdicts)
    text +=
        fmt::format("| {} | {} / {} | {} | {} | {:.3f} [{:.3f}, {:.3f}] | {} |\n", v.finding->claim,
                    v.finding->smaller, v.finding->larger, escaped(e.rows[v.row].label),
                    escaped(e.panels[v.panel].label), v.ratio.value, v.ratio.low, v.ratio.high, outcome(v));
  return text;
}

}  // namespace claros::cli
