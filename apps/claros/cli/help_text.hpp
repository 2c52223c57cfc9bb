// SPDX-License-Identifier: BSD-3-Clause
/// @file help_text.hpp  Tables that the front page of --help and the manual page claros(1) share.
#pragma once

#include <string>
#include <vector>

namespace claros::cli {

/// A word and its meaning.
struct Term {
  std::string name, meaning;
};

const std::vector<Term>& exit_codes();
const std::vector<Term>& environment();

}  // namespace claros::cli
