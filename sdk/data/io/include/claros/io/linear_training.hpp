// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_training.hpp  Files of a LinearTraining (linear_predictor.hpp), and responses in its terms.
#pragma once

#include <claros/api.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/map/design.hpp>

#include <filesystem>
#include <string>

namespace claros {

/// The target for a response of other data, a number or (Design::labels) the name of a class, as in the data
/// of the training. Throws Error(data) at `where` for a class that the training did not have.
CLAROS_API double target_of(const LinearTraining& training, const Design& design, std::size_t row,
                            const std::string& where);

/// Writes `folder`/model.json; `folder` exists. Throws Error(data).
CLAROS_API void write_linear_training(const std::filesystem::path& folder, const LinearTraining& training);
/// True if `folder` has one.
CLAROS_API bool has_linear_training(const std::filesystem::path& folder);
/// Reads it back; Error(data) if it is damaged.
CLAROS_API LinearTraining read_linear_training(const std::filesystem::path& folder);

}  // namespace claros
