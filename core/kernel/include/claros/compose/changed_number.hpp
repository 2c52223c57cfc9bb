// SPDX-License-Identifier: BSD-3-Clause
/// @file changed_number.hpp  The same composition with another lambda, for who solves for many of them.
#pragma once

#include <claros/compose/composition.hpp>

#include <string>

namespace claros {

/// Puts `number` in the place of a parameter of an outermost part ("penalty.lambda") and makes that part
/// anew. All other parts stay as they are, with what the objective has read and remembers. Throws
/// Error(usage) where no part has it, or the number is out of its range.
CLAROS_API void change_number(Composition& composition, const std::string& key, double number);

}  // namespace claros
