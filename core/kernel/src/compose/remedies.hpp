// SPDX-License-Identifier: BSD-3-Clause
/// @file remedies.hpp  Suggestions of other parts to compose.
#pragma once

#include <claros/missing_parts.hpp>

#include <claros/context.hpp>
#include <claros/plugin/catalog.hpp>

#include <string>

namespace claros {

/// The components that would do, "a, b" or "": those of the role of which an example has what is missing.
std::string fitting_parts(const MissingPart& missing, const Catalog& catalog, const Context& context);

}  // namespace claros
