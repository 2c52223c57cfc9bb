// SPDX-License-Identifier: BSD-3-Clause
#include "papers/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/tuned_curves.hpp"
#include "plot/derived_columns.hpp"

namespace claros::cli {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The points from the first x at or beyond the row's `from` to the first y at or below its `floor`, y as
/// log10.
Series logarithms(const Series& points, const FigureRow& row) {
  Series logs;
  for (std::size_t k = 0; k < points.x.size(); ++k) {
    if (points.x[k] < row.from || !(points.y[k] > 0.0) || !std::isfinite(points.y[k])) continue;
    logs.x.push_back(points.x[k]), logs.y.push_back(std::log10(points.y[k]));
    if (points.y[k] <= row.floor) break;
  }
  return logs;
}

/// Least squares of y over x, between two x.
double slope(const Series& points, double low, double high) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < points.x.size(); ++k) {
    if (points.x[k] < low || points.x[k] > high) continue;
    const double at = points.x[k] - points.x.front(), value = points.y[k];
    n += 1.0;
    x += at;
    y += value;
    xx += at * at;
    xy += at * value;
  }
  const double spread = n * xx - x * x;
  return spread > 0.0 ? (n * xy - x * y) / spread : kMissing;
}

/// The power of the points that are lower than all before, over log10 x; those at x = 0 have no logarithm.
double power(const Series& logs) {
  Series records;
  for (std::size_t k = 0; k < logs.x.size(); ++k)
    if (logs.x[k] > 0.0 && (records.y.empty() || logs.y[k] < records.y.back()))
      records.x.push_back(std::log10(logs.x[k])), records.y.push_back(logs.y[k]);
  return records.x.empty() ? kMissing : slope(records, records.x.front(), records.x.back());
}

double reached(const Series& points, double level) {
  for (std::size_t k = 0; k < points.x.size(); ++k)
    if (points.y[k] <= level) return points.x[k];
  return kMissing;
}

double straightness(const Series& points) {
  if (points.x.empty()) return kMissing;
  const double first = points.x.front(), last = points.x.back(), middle = 0.5 * (first + last);
  return slope(points, middle, last) / slope(points, first, middle);
}

template <class Of>
double mean(const std::vector<double>& y, Of of) {
  double sum = 0.0;
  for (const double one : y) sum += of(one);
  return sum / static_cast<double>(y.size());
}

double statistic(const std::string& name, const Series& points, const FigureRow& row) {
  if (points.y.empty()) return kMissing;
  if (name == "best") return *std::min_element(points.y.begin(), points.y.end());
  if (name == "largest") return *std::max_element(points.y.begin(), points.y.end());
  if (name == "last") return points.y.back();
  if (name == "median") return quartiles(points.y).median;
  if (name == "mean") return mean(points.y, [](double y) { return y; });
  if (name == "rms") return std::sqrt(mean(points.y, [](double y) { return y * y; }));
  if (name == "ratio") return points.x.back() > 0.0 ? points.y.back() / points.x.back() : kMissing;
  if (name == "reached") return reached(points, row.floor);
  if (name == "best_at")
    return points.x[static_cast<std::size_t>(std::min_element(points.y.begin(), points.y.end()) -
                                             points.y.begin())] /
           points.x.back();
  const Series logs = logarithms(points, row);
  if (name == "power") return power(logs);
  if (name == "straightness") return straightness(logs);
  return logs.x.empty() ? kMissing : slope(logs, logs.x.front(), logs.x.back());
}

double last_up_to(double reach, const Series& points) {
  double last = kMissing;
  for (std::size_t k = 0; k < points.x.size() && points.x[k] <= reach; ++k) last = points.y[k];
  return last;
}

/// The x that every curve of a panel and seed comes to; NaN if one of them left no points.
using Reaches = std::map<std::pair<std::size_t, Index>, double>;
Reaches reaches_of(const Measured& measured, const FigureRow& row) {
  Reaches reaches;
  for (const ComparisonRun& run : measured.grid().runs) {
    const Series points = measured.series(run, row);
    const double end = points.x.empty() ? kMissing : points.x.back();
    const auto [place, first] = reaches.try_emplace({measured.panel_of(run), run.seed}, end);
    if (!first)
      place->second = std::isnan(end) || std::isnan(place->second) ? kMissing : std::min(place->second, end);
  }
  return reaches;
}

std::size_t index_of(const std::vector<Variant>& variants, const std::string& label) {
  const auto at =
      std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.label == label; });
  return static_cast<std::size_t>(at - variants.begin());
}

bool listed(const std::vector<std::string>& list, const std::string& word) {
  return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

/// Rows are named by their column or their label. One whose tables do not hold the statistic shows the same
/// runs another way.
bool judges(const FigureRow& row, const Finding& finding) {
  return (listed(finding.rows, row.column) || listed(finding.rows, row.label)) &&
         (finding.statistic.empty() ||
          listed(finding.power ? row.powers : row.statistics, finding.statistic)) &&
         (!finding.power || !row.powers.empty());
}

/// The runs of one curve in one panel: how many there are, and how many ended in trouble. One that nobody
/// tuned may end above its start: that is a finding.
void count_runs(const Measured& measured, std::size_t panel, std::size_t curve, Verdict& v) {
  const bool tuned = measured.experiment().curves[curve].tune.has_value();
  for (const ComparisonRun& run : measured.grid().runs) {
    if (measured.panel_of(run) != panel || measured.curve_of(run) != curve) continue;
    ++v.runs;
    v.early |= run.iterations < v.finding->after;
    v.lost += tuned ? is_lost(run, measured.folder()) : is_trouble(run.status);
  }
}

/// The runs of one curve in one panel, seed by seed.
std::vector<Series> series_of(const Measured& measured, std::size_t panel, std::size_t curve,
                              const FigureRow& row) {
  std::vector<Series> all;
  for (const ComparisonRun& run : measured.grid().runs)
    if (measured.panel_of(run) == panel && measured.curve_of(run) == curve)
      all.push_back(measured.series(run, row));
  return all;
}

/// Two curves at the same cost: `common` of these two, whatever the others of the panel come to.
void compare_paired(const std::vector<Series>& a, const std::vector<Series>& b, std::vector<double>& first,
                    std::vector<double>& second) {
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    const double reach = a[k].x.empty() || b[k].x.empty() ? kMissing : std::min(a[k].x.back(), b[k].x.back());
    first[k] = last_up_to(reach, a[k]);
    second[k] = last_up_to(reach, b[k]);
  }
}

/// The values where runs start, over their target: the cost of coming to it tells little below kFar.
constexpr const char* kStart = "start";
constexpr double kFar = 2.0;
bool starts_below(double factor, const Statistics& statistics, std::size_t row, std::size_t panel,
                  std::size_t curve) {
  const std::vector<double>& starts = statistics.at({row, kStart})[panel][curve];
  return std::ranges::any_of(starts, [factor](double start) { return start <= factor; });
}

/// One verdict in panel `p`, on the statistic `name`.
Verdict verdict(const Measured& measured, const Finding& f, std::size_t row, const std::string& name,
                std::size_t p, const Statistics& statistics) {
  const Experiment& e = measured.experiment();
  const Numbers& numbers = statistics.at({row, name});
  const auto panel_of = [&](const Place& place) {
    return place.panel.empty() ? p : index_of(e.panels, place.panel);
  };
  const auto seeds = [&](const Place& place) {
    return numbers[panel_of(place)][index_of(e.curves, place.curve)];
  };
  std::vector<double> first = seeds(f.first);
  std::vector<double> second = f.second ? seeds(*f.second) : std::vector<double>(first.size(), 1.0);
  const auto series = [&](const Place& place) {
    return series_of(measured, panel_of(place), index_of(e.curves, place.curve), e.rows[row]);
  };
  if (f.second && name == "common") compare_paired(series(f.first), series(*f.second), first, second);
  Verdict v{&f, row, name, f.first.curve, e.panels[p].label, ratio_of_medians(first, second), first.size()};
  count_runs(measured, panel_of(f.first), index_of(e.curves, f.first.curve), v);
  if (f.second) count_runs(measured, panel_of(*f.second), index_of(e.curves, f.second->curve), v);
  if (f.second && f.second->curve != f.first.curve) v.of += " / " + f.second->curve;
  if (f.second && !f.first.panel.empty()) v.panel = f.first.panel + " / " + f.second->panel;
  const auto is_there = [&](const Place& place) {
    return starts_below(1.0, statistics, row, panel_of(place), index_of(e.curves, place.curve));
  };
  v.untested = name == "reached" && (is_there(f.first) || (f.second && is_there(*f.second)));
  if (f.falls)
    v.untested |= std::ranges::any_of(
        series(f.first), [&](const Series& s) { return !s.y.empty() && s.y.front() <= f.below; });
  return v;
}

/// The exponent of one curve over all panels.
Verdict power_verdict(const Measured& measured, const Finding& f, std::size_t row, const std::string& name,
                      const Statistics& statistics) {
  const Experiment& e = measured.experiment();
  const std::size_t curve = index_of(e.curves, f.first.curve);
  Verdict v{&f,
            row,
            name,
            f.first.curve,
            "as a power of " + e.at,
            power_over(e, statistics, row, name, curve).slope,
            statistics.at({row, name}).front()[curve].size()};
  for (std::size_t p = 0; p < e.panels.size(); ++p) {
    count_runs(measured, p, curve, v);
    v.untested |= std::isnan(v.number.value) && starts_below(kFar, statistics, row, p, curve);
  }
  return v;
}

}  // namespace

Power power_over(const Experiment& e, const Statistics& statistics, std::size_t row, const std::string& name,
                 std::size_t curve) {
  std::vector<double> at;
  std::vector<std::vector<double>> numbers;
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    if (name != "reached" || !starts_below(kFar, statistics, row, p, curve))
      at.push_back(e.panels[p].at), numbers.push_back(statistics.at({row, name})[p][curve]);
  return power_of_medians(at, numbers);
}

Statistics statistics_of(const Measured& measured) {
  const Experiment& e = measured.experiment();
  const Numbers empty(e.panels.size(), {e.curves.size(), std::vector<double>()});
  Statistics all;
  for (std::size_t r = 0; r < e.rows.size(); ++r) {
    for (const std::string& name : kStatistics) all[{r, name}] = empty;
    all[{r, kStart}] = empty;
    const Reaches reaches = reaches_of(measured, e.rows[r]);
    for (const ComparisonRun& run : measured.grid().runs) {
      const Series points = measured.series(run, e.rows[r]);
      const double reach = reaches.at({measured.panel_of(run), run.seed});
      const FigureRow row = e.rows[r].in(e.panels[measured.panel_of(run)]);
      if (!points.y.empty())
        all[{r, kStart}][measured.panel_of(run)][measured.curve_of(run)].push_back(points.y.front() /
                                                                                   row.floor);
      for (const std::string& name : kStatistics)
        all[{r, name}][measured.panel_of(run)][measured.curve_of(run)].push_back(
            name == "common" ? last_up_to(reach, points)
            : name == "whole"
                ? (run.status == Status::iterations && !points.y.empty() ? points.y.back() : kMissing)
                : statistic(name, points, row));
    }
  }
  return all;
}

bool Verdict::can_decide() const { return finding->judged && lost == 0 && seeds >= 2 && !untested && !early; }

bool Verdict::holds() const {
  if (!can_decide()) return false;
  if (finding->second) return number.high < 1.0;
  const bool under = number.high<finding->below, over = number.low> finding->above;
  return (under || std::isnan(finding->below)) && (over || std::isnan(finding->above));
}

bool Verdict::fails() const {
  if (!can_decide()) return false;
  if (finding->second) return number.low > 1.0;
  return number.low > finding->below || number.high < finding->above;
}

std::string outcome_of(const Verdict& v) {
  if (!v.finding->judged) return "not judged";
  if (v.lost > 0)
    return "undecided: " + std::to_string(v.lost) + " of " + std::to_string(v.runs) +
           " runs ended in trouble";
  if (v.untested) return "not tested: the start is at the target, or near it";
  if (v.early) return "undecided: it needs " + std::to_string(v.finding->after) + " iterations";
  if (v.seeds < 2) return "one seed";
  return v.holds() ? "holds" : v.fails() ? "fails" : "undecided";
}

std::vector<Verdict> verdicts_of(const Measured& measured, const Statistics& statistics) {
  const Experiment& e = measured.experiment();
  std::vector<Verdict> verdicts;
  for (const Finding& finding : e.findings)
    for (std::size_t r = 0; r < e.rows.size(); ++r) {
      if (e.x_of(e.rows[r]) == kSeconds || !judges(e.rows[r], finding)) continue;
      const bool placed = !finding.first.panel.empty();
      const std::vector<std::string> names =
          finding.statistic.empty() ? e.rows[r].judged : std::vector<std::string>{finding.statistic};
      for (const std::string& name : names) {
        if (finding.power) {
          verdicts.push_back(power_verdict(measured, finding, r, name, statistics));
          continue;
        }
        for (std::size_t p = 0; p < (placed ? 1 : e.panels.size()); ++p)
          if (placed || listed(finding.panels, e.panels[p].label))
            verdicts.push_back(verdict(measured, finding, r, name, p, statistics));
      }
    }
  return verdicts;
}

}  // namespace claros::cli
