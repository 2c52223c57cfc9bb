// SPDX-License-Identifier: BSD-3-Clause
/// @file responses.hpp  Several responses a row: where they come from.
#pragma once

#include <claros/context.hpp>
#include <claros/io/design_io.hpp>
#include <claros/map/design.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace linear_model {

/// The rows of a file. The text `responses` names columns of a table, with commas between them, or a file of
/// K numbers a row. Such columns are not features. If it is empty, there is one response, by the options.
/// Throws Error(usage or data).
claros::Design read_rows(const std::filesystem::path& path, const claros::DesignOptions& options,
                         const std::string& responses, const claros::Context& context);

/// The rows in memory with their responses; `responses` is a file, or empty.
std::shared_ptr<const claros::Design> with_responses(std::shared_ptr<const claros::Design> design,
                                                     const std::string& responses,
                                                     const claros::Context& context);

/// One a response: its name, or its number from 1.
std::vector<std::string> names_of(const claros::Responses& responses);

/// max_k |y_ik| of every row.
std::vector<double> largest_responses(const claros::Design& design);

}  // namespace linear_model
