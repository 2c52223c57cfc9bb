// SPDX-License-Identifier: BSD-3-Clause
/// @file missing_parts.hpp  What an estimator says of itself, asked for like an ability.
#pragma once

#include <claros/run/run_loop.hpp>

#include <string_view>

namespace claros {

/// Whether the estimator is what a Need asks for: Need::kExact, Need::kUnbiased, else the id of an ability.
bool has_property(GradientEstimator& estimator, std::string_view property);

/// Throws Error(usage) with everything that keeps `algorithm` from running on `problem`, the targets of `stop` included.
void refuse_unfit(const Problem& problem, const Algorithm& algorithm, const StopOptions& stop, const ComponentNames& names);

}  // namespace claros
