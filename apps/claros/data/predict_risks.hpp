// SPDX-License-Identifier: BSD-3-Clause
/// @file predict_risks.hpp  claros predict of the run of a model of survival times.
#pragma once

#include "cli/arguments.hpp"

#include <claros/results/prediction.hpp>

#include <filesystem>

namespace claros::cli {

/// True if the objective of the run in `folder` reads times until an event: it has the parameter `event`.
bool predicts_risks(const Arguments& arguments, const std::filesystem::path& folder);

/// The logarithms of hazard ratios, <a_i, x> + o_i, of the rows of a file. If their times are known, it adds
/// the concordance (survival.hpp) and, without strata, the deviance of the partial likelihood of these rows.
int predict_risks_command(const Arguments& arguments, const std::filesystem::path& folder,
                          const Solution& solution, const std::string& file);

}  // namespace claros::cli
