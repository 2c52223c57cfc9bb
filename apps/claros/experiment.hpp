// SPDX-License-Identifier: BSD-3-Clause
/// @file experiment.hpp  A paper's figure as a file: which runs, which curves in which panels, and which
/// findings.
#pragma once

#include <claros/comparison.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// A panel or a curve: its label, and the settings ("section.key=value") that make it.
struct Variant {
  std::string label;
  std::vector<std::string> set;
};

/// One row of panels: a column of the trace, and the number that stands for a run in tables and verdicts.
struct FigureRow {
  std::string column, label, statistic;  ///< best (smallest), last, median
  bool log = false;
};

/// "In these rows and all panels, the statistic of curve `smaller` is below that of `larger`."
struct Finding {
  std::string claim, smaller, larger;
  std::vector<std::string> rows;  ///< columns; empty: all
};

/// A figure of docs/papers/<key>/experiment.json. What stands beside "figures" holds for all of them, and
/// each may replace any of it.
struct Experiment {
  std::string name;  ///< "sfz/figure1"
  std::string paper, title, x;
  std::filesystem::path spec;  ///< what all its runs share
  std::vector<std::string> set;
  Index seeds = 1;
  std::vector<FigureRow> rows;
  std::vector<Variant> panels, curves;
  std::vector<Finding> findings;
};

/// The folder of the papers' experiments: beside the program, ../share/claros/papers.
std::filesystem::path papers_folder();

/// "key/figure" for every figure there is.
std::vector<std::string> experiment_names(const std::filesystem::path& papers);

/// Throws Error(usage) with a guess for a name that does not exist, Error(data) for a file that is not what
/// it should be.
Experiment read_experiment(const std::filesystem::path& papers, const std::string& name);

/// Its grid: panel by panel, in each curve by curve; `assignments` go on top of everything.
Comparison grid_of(const Experiment& experiment, const std::vector<std::string>& assignments);

}  // namespace claros::cli
