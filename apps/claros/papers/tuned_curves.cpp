// SPDX-License-Identifier: BSD-3-Clause
#include "papers/tuned_curves.hpp"

#include <claros/io/atomic_file.hpp>
#include <claros/json_text.hpp>
#include <claros/results/trace_table.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "grid/tuning.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

/// Values whose relative distance to the smallest one is below this differ by rounding alone.
constexpr double kSettled = 1e-9;

const ComparisonRun& run_of(const Comparison& grid, std::size_t cell) {
  return *std::find_if(grid.runs.begin(), grid.runs.end(),
                       [&](const ComparisonRun& run) { return run.cell == cell; });
}

TraceTable trace_of(const ComparisonRun& run, const fs::path& folder) {
  return run.folder.empty() ? TraceTable() : read_trace(folder / run.folder / "trace.csv");
}

/// Passes after which the run of a cell is at `level`.
double passes_to(double level, const Comparison& grid, std::size_t cell, const fs::path& folder) {
  const TraceTable trace = trace_of(run_of(grid, cell), folder);
  const auto *value = trace.find("value"), *passes = trace.find("passes");
  for (std::size_t k = 0; value && passes && k < value->size(); ++k)
    if ((*value)[k] <= level) return (*passes)[k];
  return std::numeric_limits<double>::infinity();
}

/// Sorts equally good cells, the fastest first.
void sort_settled(std::vector<std::size_t>& ranked, const Comparison& grid, const fs::path& folder) {
  if (ranked.empty()) return;
  const double least = run_of(grid, ranked.front()).measurement.value,
               level = least + kSettled * std::abs(least);
  const auto end = std::find_if(ranked.begin(), ranked.end(), [&](std::size_t cell) {
    return !(run_of(grid, cell).measurement.value <= level);
  });
  std::vector<std::pair<double, std::size_t>> settled;
  for (auto at = ranked.begin(); at != end; ++at)
    settled.emplace_back(passes_to(level, grid, *at, folder), *at);
  std::stable_sort(settled.begin(), settled.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::transform(settled.begin(), settled.end(), ranked.begin(), [](const auto& s) { return s.second; });
}

bool left_out(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool is_lost(const ComparisonRun& run, const fs::path& folder) {
  if (is_trouble(run.status)) return true;
  const TraceTable trace = trace_of(run, folder);
  const auto* value = trace.find("value");
  return value && !value->empty() && value->back() > value->front();
}

TunedCurves::TunedCurves(const Experiment& e, const Comparison& grid, const fs::path& folder, fs::path record)
    : record_(std::move(record)) {
  choices_.assign(e.panels.size(), std::vector<Choice>(e.curves.size()));
  std::size_t first = 0;
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    for (std::size_t c = 0; c < e.curves.size(); ++c) {
      if (!e.curves[c].tune) continue;
      const Tuning& tune = *e.curves[c].tune;
      std::vector<std::size_t> cells(tune.values.size());
      std::iota(cells.begin(), cells.end(), first);
      const TunedBy by = tuned_by(tune.by, tune.key);
      std::vector<std::size_t> ranked = ranked_cells(grid, cells, by);
      if (by == TunedBy::final_value) sort_settled(ranked, grid, folder);
      TunedCurve place{p, c, &tune, {}, {}};
      for (const std::size_t cell : ranked) place.ranked.push_back(tune.values[cell - first]);
      for (const std::size_t cell : cells) place.identity += grid.cells[cell].spec.text();
      places_.push_back(std::move(place));
      first += cells.size();
    }
  read_record();
  choose();
}

void TunedCurves::choose() {
  for (const TunedCurve& place : places_) {
    const auto sound = std::find_if(place.ranked.begin(), place.ranked.end(),
                                    [&](const std::string& v) { return !left_out(place.unsound, v); });
    const bool found = sound != place.ranked.end();
    // If no value works on all seeds the best one is kept, and no verdict uses it.
    const std::string& value = found                  ? *sound
                               : place.ranked.empty() ? place.tune->values.front()
                                                      : place.ranked.front();
    choices_[place.panel][place.curve] = {
        place.tune->key, value, found ? edge_of(place.tune->values, value) : "", found, place.unsound};
  }
}

bool TunedCurves::replaced(const Comparison& curves, const fs::path& folder) {
  bool any = false;
  for (TunedCurve& place : places_) {
    const Choice& choice = choices_[place.panel][place.curve];
    const std::size_t cell = place.panel * choices_[place.panel].size() + place.curve;
    const bool lost = std::any_of(curves.runs.begin(), curves.runs.end(), [&](const ComparisonRun& run) {
      return run.cell == cell && is_lost(run, folder);
    });
    if (!lost || !choice.found) continue;
    place.unsound.push_back(choice.value);
    any = true;
  }
  if (!any) return false;
  choose();
  write_record();
  return true;
}

void TunedCurves::read_record() {
  const Json record = json_or_null(record_);
  for (TunedCurve& place : places_)
    for (const Json& row : record.is_array() ? record : Json::array())
      if (row.is_object() && row.value("runs", "") == place.identity && row.contains("unsound") &&
          row["unsound"].is_array())
        for (const Json& value : row["unsound"])
          if (value.is_string()) place.unsound.push_back(value.get<std::string>());
}

void TunedCurves::write_record() const {
  Json record = Json::array();
  for (const TunedCurve& place : places_)
    if (!place.unsound.empty()) record.push_back({{"unsound", place.unsound}, {"runs", place.identity}});
  write_atomically(record_, json_text(record));
}

}  // namespace claros::cli
