// SPDX-License-Identifier: BSD-3-Clause
/// @file predict_rows.hpp  claros predict of the run of a linear model.
#pragma once

#include "arguments.hpp"

#include <claros/state/prediction.hpp>

#include <filesystem>
#include <memory>

namespace claros::cli {

/// The loss of the run in `folder`, by its effective specification; null where its objective has none.
std::shared_ptr<Loss> loss_of_run(const Arguments& arguments, const std::filesystem::path& folder);

/// Predictions of the rows of a file, whose columns are those of the training.
int predict_rows_command(const Arguments& arguments, const std::filesystem::path& folder, const Solution& solution);

/// Prints `table`, or writes it where --out says.
void put_predictions(const Arguments& arguments, const std::string& table);

}  // namespace claros::cli
