// SPDX-License-Identifier: BSD-3-Clause
/// @file experiment_grids.hpp  The grids of an experiment: its curves, what they are tuned by, and its
/// references.
#pragma once

#include "papers/experiment.hpp"
#include "papers/tuned_curves.hpp"

#include <string>
#include <vector>

namespace claros::cli {

/// Every value of every tuned curve, panel by panel, on the first seed. No cells when nothing is tuned.
Comparison tuning_grid(const Experiment& experiment, const std::vector<std::string>& assignments);

/// The reference of every panel. Its own settings come last: a smaller budget of the curves is not its own.
Comparison reference_grid(const Experiment& experiment, const std::vector<std::string>& assignments,
                          const Choices& choices);

/// The curves: panel by panel, in each curve by curve; `assignments` and then what was chosen go on top of
/// everything.
Comparison curve_grid(const Experiment& experiment, const std::vector<std::string>& assignments,
                      const Choices& choices);

}  // namespace claros::cli
