// SPDX-License-Identifier: BSD-3-Clause
/// @file dry_start.hpp  The refusals of a run, found without running it: `claros check`, Solver::check.
///
/// A specification that `compose` takes may still be refused when the parts meet the data: a theory asks for
/// a constant that the objective does not know, a batch is larger than the sum. Only the parts know, and say
/// so when they start. A dry start is that of `run`, by the same code: estimator and algorithm start at the
/// start point. No step is made, no row measured, nothing counted, written or asked of a callback. Parts
/// forget it when they start again.
#pragma once

#include <claros/run/run_loop.hpp>

#include <vector>

namespace claros {

/// Throws what `run` with the same arguments would refuse, with the same complaints. An Error of another kind
/// than usage is one that would end the run as failed before its first step. Costs as much as the start,
/// including the constants of the objective.
CLAROS_API void dry_start(const Problem& problem, Algorithm& algorithm, Element x0,
                          const RunSettings& settings, const ComponentNames& names = {});

/// The complaints of a run with checkpoints about parts that cannot save their state; none when all can.
CLAROS_API std::vector<Complaint> unsavable_parts(const Problem& problem, Algorithm& algorithm,
                                                  const ComponentNames& names = {});

}  // namespace claros
