// SPDX-License-Identifier: BSD-3-Clause
/// @file side_features.hpp  The features of the rows or of the columns, from a file.
#pragma once

#include <claros/context.hpp>
#include <claros/io/features.hpp>
#include <claros/io/training.hpp>

#include <optional>
#include <string>

namespace matrix_completion {

using namespace claros;

/// The features of the file `name` for all of `ids`, which it may extend; `read` is set to them. A side
/// without a file has one indicator each. `side` is "row" or "col". Throws Error(usage) for `indicators`
/// alone.
Features side_of(std::optional<Features>& read, const std::string& name, const std::string& side,
                 double indicators, const Context& context, Ids& ids);

}  // namespace matrix_completion
