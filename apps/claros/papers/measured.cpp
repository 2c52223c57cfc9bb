// SPDX-License-Identifier: BSD-3-Clause
#include "papers/measured.hpp"
#include "plot/derived_columns.hpp"

#include <claros/error.hpp>
#include <claros/results/trace_table.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace claros::cli {

namespace {

constexpr double kRounding = 1e-14, kUnknown = std::numeric_limits<double>::quiet_NaN();

std::vector<double> sum(std::vector<double> a, const std::vector<double>& b, double weight = 1.0) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += weight * b[k];
  return a;
}

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

/// The rounding in a difference of values near `reference`.
double rounding(double reference) { return kRounding * std::max(std::abs(reference), 1e-300); }

/// The squared distances from the truth, which the trace holds over the root of the number of entries; empty
/// if unknown.
std::vector<double> squared_distances(const std::filesystem::path& folder, const TraceTable& trace) {
  const auto* rmse = trace.find("rmse_truth");
  std::ifstream stream(folder / "result.json", std::ios::binary);
  const auto result = nlohmann::json::parse(stream, nullptr, false);
  if (!rmse || !result.is_object()) return {};
  double entries = 1.0;
  std::istringstream shape(result.value("shape", ""));
  for (std::string word; shape >> word;)
    if (word.find_first_not_of("0123456789") == std::string::npos) entries *= std::stod(word);
  std::vector<double> squared(*rmse);
  for (double& value : squared) value *= value * entries;
  return squared;
}

std::vector<double> index_passes(const TraceTable& trace, const std::filesystem::path& file) {
  const auto &passes = find(trace, "passes", file), &sfo = find(trace, "sfo", file),
             &indices = find(trace, "sfo_indices", file), &hvp = find(trace, "hvp", file);
  std::vector<double> x(passes.size(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k)
    if (sfo[k] + hvp[k] > 0.0) x[k] = passes[k] * (indices[k] + hvp[k]) / (sfo[k] + hvp[k]);
  return x;
}

/// Every row holds the rank that was asked for last, which is taken for all iterations since the row before.
std::vector<double> rank_iterations(const TraceTable& trace, const std::filesystem::path& file) {
  const auto &iteration = find(trace, "iteration", file), &rank = find(trace, "rank_asked", file);
  std::vector<double> x(iteration.size(), 0.0);
  for (std::size_t k = 1; k < x.size(); ++k) x[k] = x[k - 1] + (iteration[k] - iteration[k - 1]) * rank[k];
  return x;
}

/// Every row holds the rank that was asked for last, which is taken for all projections since the row before.
/// Methods that do not project have no ranks.
std::vector<double> ranked_pairs(const TraceTable& trace, const std::filesystem::path& file) {
  const auto &lo = find(trace, "lo", file), &po = find(trace, "po", file);
  if (po.empty() || po.back() == 0.0) return lo;
  const auto& rank = find(trace, "rank_asked", file);
  std::vector<double> x(lo);
  double projections = 0.0;
  for (std::size_t k = 1; k < x.size(); ++k) {
    if (po[k] > po[k - 1]) projections += (po[k] - po[k - 1]) * rank[k];
    x[k] += projections;
  }
  return x;
}

std::vector<double> axis(const std::string& name, const TraceTable& trace, const std::filesystem::path& file,
                         const Variant& panel) {
  if (name == kIndexPasses) return index_passes(trace, file);
  if (name == kPaperCost) return sum(find(trace, "lo", file), find(trace, "po", file), panel.projection);
  if (name == kOracleCalls) return sum(find(trace, "lo", file), find(trace, "po", file));
  if (name == kRankedPairs) return ranked_pairs(trace, file);
  return name == kRankIterations ? rank_iterations(trace, file) : find(trace, name, file);
}

}  // namespace

Minima minima_of(const Comparison& grid, const std::filesystem::path& folder) {
  Minima minima;
  for (const ComparisonRun& run : grid.runs) {
    if (run.folder.empty()) continue;
    const auto file = folder / run.folder / "trace.csv";
    const TraceTable trace = read_trace(file);
    const double value = smallest(find(trace, "value", file));
    const auto* rank = trace.find("rank_or_support");
    const std::vector<double> distances = squared_distances(folder / run.folder, trace);
    const auto* gap = trace.find("gap");
    const auto* unsmoothed = trace.find("unsmoothed");
    minima[{run.cell, run.seed}] = {
        value, unsmoothed ? smallest(*unsmoothed) : kUnknown, distances.empty() ? kUnknown : distances.back(),
        gap ? smallest(*gap) : kUnknown, rank && !rank->empty() ? rank->back() : kUnknown};
  }
  return minima;
}

Series Measured::series(const ComparisonRun& run, const std::string& name, const std::string& own) const {
  if (run.folder.empty()) return {};
  const auto file = folder_ / run.folder / "trace.csv";
  const TraceTable trace = read_trace(file);
  const bool derived = name == kSuboptimality;
  const std::vector<double> x =
      axis(own.empty() ? experiment_.x : own, trace, file, experiment_.panels[panel_of(run)]);
  const std::vector<double> y = name == kDistance ? squared_distances(file.parent_path(), trace)
                                                  : find(trace, derived ? "value" : name, file);
  const auto reference = minima_.find({panel_of(run), run.seed});
  const double least = !derived ? 0.0 : reference == minima_.end() ? kUnknown : reference->second.value;
  const double unsure = derived && experiment_.reference->has_target() && reference != minima_.end()
                            ? reference->second.gap
                            : kUnknown;
  Series points;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    // A target's gap, if it is known, is the least difference that is known to be one.
    const double value = derived ? std::fmax(y[k] - least, std::isnan(y[k]) ? kUnknown : unsure) : y[k];
    if (std::isnan(x[k]) || std::isnan(value) || (derived && value <= rounding(least))) continue;
    points.x.push_back(x[k]), points.y.push_back(value);
  }
  return points;
}

Series Measured::series(const ComparisonRun& run, const FigureRow& row) const {
  Series points = series(run, row.column, row.x);
  double unit = row.per == 0.0 ? 1.0 : row.per * experiment_.panels[panel_of(run)].at;
  if (!row.by.empty()) unit *= experiment_.by_seed.at(row.by).at(static_cast<std::size_t>(run.seed));
  const double less = row.over_reference ? least(run, row.column) : row.less;
  for (double& y : points.y) y = (y - less) / unit;
  if (std::isnan(less)) return {};
  return points;
}

double Measured::least(const ComparisonRun& run, const std::string& column) const {
  const auto reference = minima_.find({panel_of(run), run.seed});
  if (reference == minima_.end()) return kUnknown;
  const ReferencePoint& point = reference->second;  // without a smoother both are the same
  return column == "unsmoothed" && !std::isnan(point.unsmoothed) ? point.unsmoothed : point.value;
}

double Measured::below_reference(const ComparisonRun& run) const {
  const bool original = std::ranges::any_of(experiment_.rows, [](const FigureRow& row) {
    return row.over_reference && row.column == "unsmoothed";
  });
  const std::string column = original ? "unsmoothed" : "value";
  const double least = this->least(run, column), excess = least - smallest(series(run, column).y);
  return excess > rounding(least) ? excess : 0.0;
}

std::vector<double> Measured::of_references(std::size_t panel, double ReferencePoint::*what) const {
  std::vector<double> all;
  for (const auto& [place, point] : minima_)
    if (place.first == panel && !std::isnan(point.*what)) all.push_back(point.*what);
  return all;
}

}  // namespace claros::cli
