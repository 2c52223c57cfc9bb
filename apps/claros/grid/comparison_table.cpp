// SPDX-License-Identifier: BSD-3-Clause
#include "grid/comparison_table.hpp"

#include <claros/grids/quartiles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

using Row = std::vector<std::string>;

/// A column of the table: a number of the runs, and its format.
struct Shown {
  const char* name;
  const char* format;
  bool always = true;
};

constexpr Shown kShown[] = {
    {"value", "{:.6g}"},
    {"gap", "{:.3g}"},
    {"residual", "{:.3g}", false},
    {"rmse_truth", "{:.4g}", false},
    {"test_rmse", "{:.4g}", false},
    {"iterations", "{:.0f}"},
    {"passes", "{:.4g}"},
    {"sfo", "{:.0f}"},
    {"lo", "{:.0f}"},
    {"seconds", "{:.3g}"},
};

double number(const ComparisonRun& run, std::string_view name) {
  const auto& columns = comparison_columns();
  return std::find_if(columns.begin(), columns.end(),
                      [&](const ComparisonColumn& c) { return c.name == name; })
      ->value(run);
}

std::string spread(const Quartiles& q, const char* format) {
  const auto shown = [format](double value) { return fmt::format(fmt::runtime(format), value); };
  if (std::isnan(q.median)) return "-";
  const std::string median = shown(q.median), lower = shown(q.lower), upper = shown(q.upper);
  return lower == median && upper == median ? median : median + " [" + lower + ", " + upper + "]";
}

/// "gap", or "3 gap, 1 failed" where runs ended in different ways.
std::string statuses(const std::vector<const ComparisonRun*>& runs) {
  std::map<Status, int> times;
  for (const ComparisonRun* run : runs) ++times[run->status];
  if (times.empty()) return "not run";
  if (times.size() == 1) return text(times.begin()->first);
  std::string all;
  for (const auto& [status, count] : times)
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", count, text(status));
  return all;
}

/// The columns that some run has.
std::vector<Shown> known_columns(const Comparison& comparison) {
  std::vector<Shown> known;
  for (const Shown& column : kShown)
    if (column.always ||
        std::any_of(comparison.runs.begin(), comparison.runs.end(),
                    [&](const ComparisonRun& r) { return !std::isnan(number(r, column.name)); }))
      known.push_back(column);
  return known;
}

Row cells_of(const Comparison& comparison, std::size_t cell, const std::vector<Shown>& columns) {
  std::vector<const ComparisonRun*> runs;
  for (const ComparisonRun& run : comparison.runs)
    if (run.cell == cell) runs.push_back(&run);
  Row row;
  for (const std::string& value : comparison.cells[cell].values) row.push_back(printable(value));
  row.push_back(statuses(runs));
  for (const Shown& column : columns) {
    std::vector<double> values;
    for (const ComparisonRun* run : runs) values.push_back(number(*run, column.name));
    row.push_back(spread(quartiles(std::move(values)), column.format));
  }
  return row;
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  std::vector<Row> rows(1);
  for (const Vary& vary : comparison.varies) rows.front().push_back(vary.name);
  rows.front().emplace_back("status");
  const std::vector<Shown> columns = known_columns(comparison);
  for (const Shown& column : columns) rows.front().emplace_back(column.name);
  for (std::size_t k = 0; k < comparison.cells.size(); ++k) rows.push_back(cells_of(comparison, k, columns));
  std::string table = aligned(rows);
  if (comparison.repeats > 1)
    table += fmt::format("\nmedian [lower quartile, upper quartile] of {} seeds\n", comparison.repeats);
  return table;
}

}  // namespace claros::cli
