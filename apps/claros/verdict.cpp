// SPDX-License-Identifier: BSD-3-Clause
#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros::cli {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Least squares of log10 y over x, from the first x at or beyond `from` to the first y at or below `floor`.
double slope(const Series& points, double from, double floor) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < points.x.size(); ++k) {
    if (points.x[k] < from || !(points.y[k] > 0.0) || !std::isfinite(points.y[k])) continue;
    const double at = points.x[k] - points.x.front(), value = std::log10(points.y[k]);
    n += 1.0, x += at, y += value, xx += at * at, xy += at * value;
    if (points.y[k] <= floor) break;
  }
  const double spread = n * xx - x * x;
  return spread > 0.0 ? (n * xy - x * y) / spread : kUnknown;
}

double statistic(const std::string& name, const Series& points, const FigureRow& row) {
  if (points.y.empty()) return kUnknown;
  if (name == "best") return *std::min_element(points.y.begin(), points.y.end());
  if (name == "last") return points.y.back();
  if (name == "median") return quartiles(points.y).median;
  return slope(points, row.from, row.floor);
}

std::size_t index_of(const std::vector<Variant>& variants, const std::string& label) {
  const auto at =
      std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.label == label; });
  return static_cast<std::size_t>(at - variants.begin());
}

bool listed(const std::vector<std::string>& list, const std::string& word) {
  return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

/// One verdict in panel `p`.
Verdict verdict(const Experiment& e, const Finding& f, std::size_t row, std::size_t p,
                const Statistics& statistics) {
  const std::string& name = f.statistic.empty() ? e.rows[row].statistics.front() : f.statistic;
  const Numbers& numbers = statistics.at({row, name});
  const auto seeds = [&](const Place& place) {
    return numbers[place.panel.empty() ? p : index_of(e.panels, place.panel)]
                  [index_of(e.curves, place.curve)];
  };
  const std::vector<double> first = seeds(f.first);
  const std::vector<double> second = f.second ? seeds(*f.second) : std::vector<double>(first.size(), 1.0);
  Verdict v{&f, row, name, f.first.curve, e.panels[p].label, ratio_of_medians(first, second)};
  if (f.second && f.second->curve != f.first.curve) v.of += " / " + f.second->curve;
  if (f.second && !f.first.panel.empty()) v.panel = f.first.panel + " / " + f.second->panel;
  return v;
}

}  // namespace

Statistics statistics_of(const Measured& measured) {
  const Experiment& e = measured.experiment();
  const Numbers empty(e.panels.size(), {e.curves.size(), std::vector<double>()});
  Statistics all;
  for (std::size_t r = 0; r < e.rows.size(); ++r) {
    for (const std::string& name : kStatistics) all[{r, name}] = empty;
    for (const ComparisonRun& run : measured.grid().runs) {
      const Series points = measured.series(run, e.rows[r].column);
      for (const std::string& name : kStatistics)
        all[{r, name}][measured.panel_of(run)][measured.curve_of(run)].push_back(
            statistic(name, points, e.rows[r]));
    }
  }
  return all;
}

bool Verdict::holds() const {
  if (finding->second) return number.high < 1.0;
  return number.high < finding->below || number.low > finding->above;
}

bool Verdict::fails() const {
  if (finding->second) return number.low > 1.0;
  return number.low > finding->below || number.high < finding->above;
}

std::vector<Verdict> verdicts_of(const Experiment& e, const Statistics& statistics) {
  std::vector<Verdict> verdicts;
  for (const Finding& finding : e.findings)
    for (std::size_t r = 0; r < e.rows.size(); ++r) {
      if (!listed(finding.rows, e.rows[r].column)) continue;
      const bool placed = !finding.first.panel.empty();
      for (std::size_t p = 0; p < (placed ? 1 : e.panels.size()); ++p)
        if (placed || listed(finding.panels, e.panels[p].label))
          verdicts.push_back(verdict(e, finding, r, p, statistics));
    }
  return verdicts;
}

}  // namespace claros::cli
