// SPDX-License-Identifier: BSD-3-Clause
#include "plot/axis_labels.hpp"

#include <claros/run/trace.hpp>

#include <algorithm>
#include <filesystem>

#include "plot/derived_columns.hpp"

namespace claros::cli {

std::string axis_label(const std::string& column) {
  if (column == kIndexPasses) return "passes, an index of a difference counted once";
  if (column == kOracleCalls) return "linear minimisations and projections";
  if (column == kRankedPairs) return "singular pairs (r a projection of rank r)";
  if (column == kRankIterations) return "iterations x rank of the SVD";
  for (const TraceColumn& known : trace_columns())
    if (column == known.name) return known.label;
  return column;
}

std::vector<std::string> folder_labels(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    const std::filesystem::path path = std::filesystem::absolute(word).lexically_normal();
    names.push_back((path.has_filename() ? path : path.parent_path()).filename().string());
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? names : words;
}

}  // namespace claros::cli
