// SPDX-License-Identifier: BSD-3-Clause
/// @file solve.hpp  What `run` and `resume` share: solving with progress and checkpoints, and showing the
/// result.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/results/run_folder.hpp>

#include <string_view>

#include "main/arguments.hpp"

namespace claros::cli {

/// Runs the composition, from `state` when that is not empty, and leaves checkpoints in `folder` when that is
/// not null; then writes the run folder, shows the result as the arguments ask (--json, --quiet), and gives
/// the exit code. A result that cannot be kept is shown all the same, and the error thrown after.
int solve_and_show(const Composition& composition, const Arguments& arguments, RunFolder* folder,
                   std::string_view state = {});

}  // namespace claros::cli
