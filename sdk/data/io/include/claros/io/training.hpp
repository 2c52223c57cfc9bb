// SPDX-License-Identifier: BSD-3-Clause
/// @file training.hpp  Files of a Training (predictor.hpp).
#pragma once

#include <claros/api.hpp>
#include <claros/predictor.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// Writes to `folder`, which exists: rows.csv and columns.csv (id, entries), and range.mtx (lowest and
/// highest value). For a baseline it adds mean.mtx, row_biases.mtx and column_biases.mtx (Matrix Market
/// arrays). Throws Error(data).
CLAROS_API void write_training(const std::filesystem::path& folder, const Training& training);

/// Reads them back. If there are none, ids are indices from 1 and nothing else is known. Throws Error(data)
/// if they do not fit `rows` x `cols`.
CLAROS_API Training read_training(const std::filesystem::path& folder, Index rows, Index cols);

/// The names of those files.
CLAROS_API const std::vector<std::string>& training_files();

}  // namespace claros
