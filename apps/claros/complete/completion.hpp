// SPDX-License-Identifier: BSD-3-Clause
/// @file completion.hpp  Completions of the last word of an unfinished command line.
#pragma once

#include "complete/candidates.hpp"

namespace claros::cli {

/// `words` are those after the name of the program; the last is the text before the cursor, perhaps empty.
/// The table of commands says what belongs where, by the names in its usages (SPEC, DIR, section.key=value).
/// A line with errors has no candidates; nothing is thrown for it.
Candidates complete_line(const std::vector<std::string>& words);

}  // namespace claros::cli
