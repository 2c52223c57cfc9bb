// SPDX-License-Identifier: BSD-3-Clause
/// @file measured.hpp  The traces of an experiment's runs, its derived column among them.
#pragma once

#include "papers/experiment.hpp"

#include <claros/grids/quartiles.hpp>

#include <filesystem>
#include <limits>
#include <map>
#include <utility>

namespace claros::cli {

/// The result of the long run of a panel and seed.
struct ReferencePoint {
  double value = 0.0;                                            ///< its smallest
  double unsmoothed = std::numeric_limits<double>::quiet_NaN();  ///< its smallest; NaN: no smoother
  double precision = 0.0;  ///< ||x^ - x*||^2 at its end, x* what the data was made from; NaN if unknown
  double gap = std::numeric_limits<double>::quiet_NaN();  ///< the smallest that was measured; NaN: none
  double rank = 0.0;  ///< of its last point, or how many entries are not 0; NaN if the trace does not say
};
/// By panel and seed; a run without a trace has none.
using Minima = std::map<std::pair<std::size_t, Index>, ReferencePoint>;
Minima minima_of(const Comparison& grid, const std::filesystem::path& folder);

/// The curves' runs in `folder`. All of it outlives this.
class Measured {
 public:
  Measured(const Experiment& experiment, const Comparison& grid, std::filesystem::path folder, Minima minima)
      : experiment_(experiment), grid_(grid), folder_(std::move(folder)), minima_(std::move(minima)) {}

  const Experiment& experiment() const noexcept { return experiment_; }
  const Comparison& grid() const noexcept { return grid_; }
  const std::filesystem::path& folder() const noexcept { return folder_; }
  std::size_t panel_of(const ComparisonRun& run) const { return run.cell / experiment_.curves.size(); }
  std::size_t curve_of(const ComparisonRun& run) const { return run.cell % experiment_.curves.size(); }

  /// The points of a run where both columns are known; none of a run that left no trace. Throws Error(data)
  /// when the trace lacks a column.
  Series series(const ComparisonRun& run, const std::string& column, const std::string& x = {}) const;
  /// The series of one row of the figure.
  Series series(const ComparisonRun& run, const FigureRow& row) const;
  /// The known values of the references of a panel, one a seed.
  std::vector<double> of_references(std::size_t panel, double ReferencePoint::*what) const;
  /// The smallest of a column of the reference of that panel and seed; NaN if it is not known.
  double least(const ComparisonRun& run, const std::string& column) const;
  /// By how much the run got below its reference, beyond rounding; 0 when it did not.
  double below_reference(const ComparisonRun& run) const;

 private:
  const Experiment& experiment_;
  const Comparison& grid_;
  std::filesystem::path folder_;
  Minima minima_;
};

}  // namespace claros::cli
