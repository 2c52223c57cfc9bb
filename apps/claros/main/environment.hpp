// SPDX-License-Identifier: BSD-3-Clause
/// @file environment.hpp  Variables of the environment that were meant for this program.
#pragma once

namespace claros::cli {

/// Warns of each variable that begins with CLAROS_ and is none (help_text.hpp) but nearly one: it would be
/// without effect.
void warn_of_misspelt_variables();

}  // namespace claros::cli
