// SPDX-License-Identifier: BSD-3-Clause
/// @file figure_numbers.hpp  The numbers and verdicts of an experiment for programs:
/// docs/papers/KEY/FIGURE.json.
#pragma once

#include "papers/experiment_grids.hpp"
#include "papers/verdict.hpp"

#include <string>
#include <vector>

namespace claros::cli {

/// The contents of the page of findings, as JSON with six digits:
///   rows.LABEL.STATISTIC.PANEL.CURVE = [median, lower quartile, upper quartile, seeds known, seeds],
///   powers.LABEL.STATISTIC.CURVE = [slope, low, high, least, most],
///   tuned.PANEL.CURVE = "step = 2^-8", references.PANEL = value,
///   verdicts = [{claim, of, row, statistic, panel, value, low, high, seeds, outcome}].
/// Unknown numbers are null.
std::string figure_numbers(const Measured& measured, const Statistics& statistics, const Choices& choices,
                           const std::vector<Verdict>& verdicts);

}  // namespace claros::cli
