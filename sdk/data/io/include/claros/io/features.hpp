// SPDX-License-Identifier: BSD-3-Clause
/// @file features.hpp  Features of rows and columns (side_features.hpp) from files.
#pragma once

#include <claros/api.hpp>
#include <claros/context.hpp>
#include <claros/predictor.hpp>
#include <claros/side_features.hpp>

#include <filesystem>
#include <string>

namespace claros {

/// Reads features from a text file of three fields a line (id, feature, value; a list has no order). Any
/// other file of read_matrix or of sparse coordinates (Matrix Market, .npz) works too. Its line k belongs to
/// the row of index k. Errors name the option `key`. Throws Error(data) for missing and infinite numbers.
CLAROS_API Features read_features(const std::filesystem::path& file, const std::string& key,
                                  const Context& context = {});

/// The features in the order of `ids`, for which they were asked. Ids that only the features have are added
/// to `ids`, without entries. Throws Error(data, file) for an id that has entries and no features.
CLAROS_API Features in_order_of(Ids& ids, Features features, const std::string& side,
                                const std::string& file);

}  // namespace claros
