// SPDX-License-Identifier: BSD-3-Clause
/// @file unmeasured_targets.hpp  Targets that keep a run from starting.
#pragma once

#include <claros/missing_parts.hpp>
#include <claros/run/run_loop.hpp>

namespace claros {

/// Throws Error(usage) with all that keeps `algorithm` from running on `problem`, targets of `stop` included.
void refuse_unfit(const Problem& problem, const Algorithm& algorithm, const StopOptions& stop,
                  const ComponentNames& names);

}  // namespace claros
