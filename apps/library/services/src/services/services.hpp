// SPDX-License-Identifier: BSD-3-Clause
/// @file services.hpp  What a program knows beside the kernel (compose/program_services.hpp).
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/compose/program_services.hpp>

#include <string>
#include <vector>

namespace claros {

/// The table of `auto`, the first row that applies in front.
std::vector<AlgorithmChoice> algorithms_for(const Problem& problem, Component* penalty);

/// The components of the role that have what is missing, "a, b" or "".
std::string fitting_parts(const MissingPart& missing, const Catalog& catalog, const Context& context);

/// The best approximation of rank start.rank to the data, with their mean everywhere else. It is projected if
/// there is a projection. (Garber 2020, section 5.) Throws Error(usage) if the objective has no such data
/// (Start), or if no matrix of its shape has that rank.
Element mean_filled(const Composition& composition);

/// Throws Error(usage) if several runs of the composition cannot be compared by their gaps.
void check_trials(const Composition& composition);
RunResult run_trials(const Composition& composition, const RunSettings& settings);

}  // namespace claros
