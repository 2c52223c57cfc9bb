// SPDX-License-Identifier: BSD-3-Clause
/// @file glossary.hpp  The sections of two guides, glossary.md and troubleshooting.md, for `claros help`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace claros::cli {

extern const std::string_view kGlossary;

struct GlossaryEntry {
  std::string word, text;
};

const std::vector<GlossaryEntry>& glossary();

/// The entry of that word, else those that have it in their name, such as `oracle`. If there are none, those
/// that define it beside theirs, between * or `. Case, '-' and '_' for blanks, and an s at the end make no
/// difference.
std::vector<const GlossaryEntry*> glossary_entries(const std::string& word);

}  // namespace claros::cli
