// SPDX-License-Identifier: BSD-3-Clause
#include "solve/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace claros::cli {

namespace {

struct Mean {
  double sum = 0.0;
  Index count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const { return sum / static_cast<double>(count); }
};

}  // namespace

double seconds_left(const Comparison& comparison, int jobs) {
  Mean all;
  std::vector<Mean> cells(comparison.cells.size());
  std::vector<Index> made(comparison.cells.size(), 0);
  for (const ComparisonRun& run : comparison.runs) {
    ++made[run.cell];
    if (!(run.seconds + run.measuring_seconds > 0.0)) continue;
    all.add(run.seconds + run.measuring_seconds);
    cells[run.cell].add(run.seconds + run.measuring_seconds);
  }
  if (all.count == 0) return std::numeric_limits<double>::quiet_NaN();
  double left = 0.0;
  for (std::size_t c = 0; c < cells.size(); ++c)
    left += static_cast<double>(comparison.repeats - made[c]) * (cells[c].count ? cells[c] : all).value();
  return left / std::max(1, jobs);
}

std::string duration_text(double seconds) {
  if (seconds < 90.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace claros::cli
