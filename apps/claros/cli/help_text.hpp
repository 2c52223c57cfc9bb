// SPDX-License-Identifier: BSD-3-Clause
/// @file help_text.hpp  Texts that the front page of --help and the manual page claros(1) share.
#pragma once

#include <string>
#include <vector>

namespace claros::cli {

/// A word and its meaning.
struct Term {
  std::string name, meaning;
};

/// `claros` alone shows it.
extern const char* const kFirstScreen;
extern const char* const kIntroduction;
extern const char* const kFirstRun;
const std::vector<Term>& exit_codes();
const std::vector<Term>& environment();

}  // namespace claros::cli
