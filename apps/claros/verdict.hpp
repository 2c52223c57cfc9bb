// SPDX-License-Identifier: BSD-3-Clause
/// @file verdict.hpp  What the runs of an experiment say of its paper's findings.
#pragma once

#include "experiment.hpp"

#include <claros/quartiles.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// statistics[row][panel][curve][seed], read from the traces of the runs.
using Statistics = std::vector<std::vector<std::vector<std::vector<double>>>>;

/// Of the grid that was run into `folder`. Throws Error(data) when a trace lacks a column.
Statistics statistics_of(const Experiment& experiment, const Comparison& grid,
                         const std::filesystem::path& folder);

/// One finding in one row and panel.
struct Verdict {
  const Finding* finding;
  std::size_t row, panel;
  Ratio ratio;

  bool holds() const { return ratio.high < 1.0; }
  bool fails() const { return ratio.low > 1.0; }
};
std::vector<Verdict> verdicts_of(const Experiment& experiment, const Statistics& statistics);

/// The medians with quartiles, and the verdicts, as Markdown.
std::string findings_page(const Experiment& experiment, const Comparison& grid, const Statistics& statistics,
                          const std::vector<Verdict>& verdicts, const std::string& command);

}  // namespace claros::cli
