// SPDX-License-Identifier: BSD-3-Clause
/// @file findings_page.hpp  The numbers and verdicts of an experiment as a page.
#pragma once

#include "papers/experiment_grids.hpp"
#include "papers/verdict.hpp"

#include <string>
#include <vector>

namespace claros::cli {

/// The medians with quartiles, what was tuned, and the verdicts, as Markdown. `command` made them.
std::string findings_page(const Measured& measured, const Statistics& statistics, const Choices& choices,
                          const std::vector<Verdict>& verdicts, const std::string& command);

}  // namespace claros::cli
