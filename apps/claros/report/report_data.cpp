// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace claros::cli {

namespace {

/// The rows of [begin, end) with the least and the largest `column`; none if it holds no number.
void add_extremes(const std::vector<double>& column, std::size_t begin, std::size_t end,
                  std::vector<std::size_t>& rows) {
  std::size_t least = end, most = end;
  for (std::size_t k = begin; k < end; ++k) {
    if (!std::isfinite(column[k])) continue;
    if (least == end || column[k] < column[least]) least = k;
    if (most == end || column[k] > column[most]) most = k;
  }
  if (least == end) return;
  rows.push_back(least), rows.push_back(most);
}

}  // namespace

std::vector<std::size_t> decimated(const std::vector<std::vector<double>>& columns, std::size_t most) {
  const std::size_t size = columns.empty() ? 0 : columns.front().size();
  std::vector<std::size_t> rows;
  if (size <= most) {
    for (std::size_t k = 0; k < size; ++k) rows.push_back(k);
    return rows;
  }
  const std::size_t blocks = std::max<std::size_t>(1, most / (2 * columns.size()));
  rows = {0, size - 1};
  for (std::size_t b = 0; b < blocks; ++b)
    for (const std::vector<double>& column : columns)
      add_extremes(column, b * size / blocks, (b + 1) * size / blocks, rows);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::string report_number(double value) {
  if (std::isnan(value)) return {};
  const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

}  // namespace claros::cli
