// SPDX-License-Identifier: BSD-3-Clause
/// @file solve.hpp  The work that `run` and `resume` share: solving with progress and checkpoints, and
/// showing the result.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/results/run_folder.hpp>

#include <string_view>

#include "cli/arguments.hpp"

namespace claros::cli {

/// Runs the composition, from `state` if that is not empty, and leaves checkpoints in `folder` if that is not
/// null. Then it writes the run folder, shows the result as the arguments ask (--json, --quiet), and returns
/// the exit code. A result that cannot be kept is shown all the same; the error is thrown afterwards.
int solve_and_show(const Composition& composition, const Arguments& arguments, RunFolder* folder,
                   std::string_view state = {});

}  // namespace claros::cli
