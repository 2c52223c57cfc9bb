// SPDX-License-Identifier: BSD-3-Clause
/// @file grid_run.hpp  Runs a grid with what a person sees of it: progress, a line a run, interrupts.
#pragma once

#include "cli/arguments.hpp"
#include "cli/out_folder.hpp"
#include "cli/session.hpp"
#include "grid/kept_runs.hpp"

#include <claros/grids/comparison.hpp>

#include <exception>
#include <vector>

namespace claros::cli {

/// The specification with those axes and --repeat, before its runs. Throws Error(usage) with the complaints
/// of `request` where the axes make no cell.
Comparison grid_of(const Arguments& arguments, Request& request, std::vector<Vary> varies);

struct GridOutcome {
  bool interrupted = false;
  std::exception_ptr unwritten;  ///< why the runs could not be kept
  bool changed_inputs = false;   ///< a file has other contents than when a run read it

  /// `code`, or that of bad data where it is kDone and an input changed.
  int exit_code(int code) const;
};

/// Starts every cell dry, makes `folder` (null: nothing is kept) and runs, --jobs at once, all but those that
/// are in `kept` (null: none). Throws Error with all complaints before the first run.
GridOutcome run_grid(const Catalog& catalog, Comparison& comparison, OutFolder* folder,
                     const Arguments& arguments, std::vector<Complaint> complaints, KeptRuns* kept = nullptr);

}  // namespace claros::cli
