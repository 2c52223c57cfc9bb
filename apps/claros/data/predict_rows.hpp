// SPDX-License-Identifier: BSD-3-Clause
/// @file predict_rows.hpp  claros predict of the run of a linear model.
#pragma once

#include "cli/arguments.hpp"

#include <claros/json_text.hpp>
#include <claros/results/linear_prediction.hpp>

#include <filesystem>
#include <memory>

namespace claros::cli {

/// A component of the run in `folder`, by its effective specification; null if `section` names none.
std::shared_ptr<Component> component_of_run(const Arguments& arguments, const std::filesystem::path& folder,
                                            Kind kind, const std::string& section);
/// The loss of the run in `folder`, by its effective specification; null if its objective has none.
std::shared_ptr<Loss> loss_of_run(const Arguments& arguments, const std::filesystem::path& folder);

/// The options with which the data of the training was read, for other rows.
DesignOptions options_for(const Arguments& arguments, const std::filesystem::path& folder,
                          const LinearTraining& training, const Context& context);

/// The predictions of the linear model in `folder` for the rows of `file`. Throws Error(data).
RowPredictions predictions_of_file(const Arguments& arguments, const std::filesystem::path& folder,
                                   const Solution& solution, const std::string& file);

/// Predictions of the rows of a file, whose columns are those of the training.
int predict_rows_command(const Arguments& arguments, const std::filesystem::path& folder,
                         const Solution& solution);

/// "accuracy 0.9, log loss 0.3": what applies of the quality, with the number of known targets, on stderr.
void report_quality(const RowPredictions& made);

/// The quality as JSON; null if no targets are known.
Json quality_json(const RowPredictions& made);

/// Prints `table`, or writes it where --out says.
void put_predictions(const Arguments& arguments, const std::string& table);

}  // namespace claros::cli
