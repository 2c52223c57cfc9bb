// SPDX-License-Identifier: BSD-3-Clause
/// @file environment.hpp  Variables of the environment that were meant for this program.
#pragma once

namespace claros::cli {

/// Warns of each variable that starts with CLAROS_ and is not one of help_text.hpp but similar to one: it has
/// no effect.
void warn_of_misspelt_variables();

}  // namespace claros::cli
