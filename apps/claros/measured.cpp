// SPDX-License-Identifier: BSD-3-Clause
#include "measured.hpp"

#include <claros/error.hpp>
#include <claros/state/trace_table.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros::cli {

namespace {

constexpr double kRounding = 1e-14, kUnknown = std::numeric_limits<double>::quiet_NaN();

double smallest(const std::vector<double>& values) {
  double least = kUnknown;
  for (const double value : values) least = std::fmin(least, value);
  return least;
}

const std::vector<double>& find(const TraceTable& trace, const std::string& name,
                                const std::filesystem::path& file) {
  if (const auto* column = trace.find(name)) return *column;
  throw Error(ErrorKind::data, file.string(), "has no column " + name);
}

/// What rounding leaves of a difference of values near `reference`.
double rounding(double reference) { return kRounding * std::max(std::abs(reference), 1e-300); }

}  // namespace

Minima minima_of(const Comparison& grid, const std::filesystem::path& folder) {
  Minima minima;
  for (const ComparisonRun& run : grid.runs) {
    if (run.folder.empty()) continue;
    const auto file = folder / run.folder / "trace.csv";
    minima[{run.cell, run.seed}] = smallest(find(read_trace(file), "value", file));
  }
  return minima;
}

Series Measured::series(const ComparisonRun& run, const std::string& name) const {
  if (run.folder.empty()) return {};
  const auto file = folder_ / run.folder / "trace.csv";
  const TraceTable trace = read_trace(file);
  const bool derived = name == kSuboptimality;
  const auto &x = find(trace, experiment_.x, file), &y = find(trace, derived ? "value" : name, file);
  const auto reference = minima_.find({panel_of(run), run.seed});
  const double least = !derived ? 0.0 : reference == minima_.end() ? kUnknown : reference->second;
  Series points;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double value = derived ? y[k] - least : y[k];
    if (std::isnan(x[k]) || std::isnan(value) || (derived && value <= rounding(least))) continue;
    points.x.push_back(x[k]), points.y.push_back(value);
  }
  return points;
}

double Measured::below_reference(const ComparisonRun& run) const {
  const auto reference = minima_.find({panel_of(run), run.seed});
  if (reference == minima_.end()) return 0.0;
  const double excess = reference->second - smallest(series(run, "value").y);
  return excess > rounding(reference->second) ? excess : 0.0;
}

}  // namespace claros::cli
