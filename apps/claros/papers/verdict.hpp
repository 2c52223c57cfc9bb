// SPDX-License-Identifier: BSD-3-Clause
/// @file verdict.hpp  The verdicts of the runs of an experiment on its paper's findings.
#pragma once

#include "papers/measured.hpp"

#include <claros/grids/quartiles.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace claros::cli {

/// One number a run: [panel][curve][seed].
using Numbers = std::vector<std::vector<std::vector<double>>>;
/// The numbers of every row (its index) and every name in kStatistics.
using Statistics = std::map<std::pair<std::size_t, std::string>, Numbers>;

/// Throws Error(data) when a trace lacks a column.
Statistics statistics_of(const Measured& measured);

/// The power of one curve's numbers, over the panels' `at`.
Power power_over(const Experiment& experiment, const Statistics& statistics, std::size_t row,
                 const std::string& name, std::size_t curve);

/// One finding in one row, statistic and panel. It is a ratio of medians, to be below 1, or a median, to be
/// on one side of a bound.
struct Verdict {
  const Finding* finding;
  std::size_t row;
  std::string statistic, of, panel;  ///< `of`: "SPIDER / SVRG", or "SVRG"
  Ratio number;                      ///< of medians; of a median and 1 if the finding has a bound
  std::size_t seeds = 0;             ///< behind it
  std::size_t lost = 0,
              runs = 0;   ///< runs behind it, and those that ended in trouble: with any, nothing is decided
  bool untested = false;  ///< true if it is about the cost of a target where a run starts
  bool early = false;     ///< true if a run is shorter than the finding asks for

  /// With one seed both are false: no interval supports its number.
  bool holds() const;
  bool fails() const;

 private:
  bool can_decide() const;
};
/// "holds", "fails", "undecided", "one seed", or why nothing is decided.
std::string outcome_of(const Verdict& verdict);

std::vector<Verdict> verdicts_of(const Measured& measured, const Statistics& statistics);

}  // namespace claros::cli
