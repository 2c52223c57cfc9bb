// SPDX-License-Identifier: BSD-3-Clause
/// @file parsed_line.hpp  A command line as Boost.Program_options takes it apart: the one reading of it, for
/// commands and for their completion.
#pragma once

#include "cli/arguments.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace claros::cli {

using Words = std::vector<std::string>;

/// An option with its value, or a word.
struct Piece {
  std::string name;  ///< the name of the option; empty for a word
  std::string value;
  std::string written;  ///< the word of the line that it begins with
  bool known = true;    ///< false for an option that is none of those asked for

  bool is_word() const noexcept { return name.empty(); }
};

/// The pieces of a line in their order. Options are written out (no abbreviations, which would break a script
/// when a longer option is added); behind "--" all are words. Throws Error(usage) for an option without its
/// value, or with one that it does not take.
std::vector<Piece> pieces_of(const Words& line, const std::vector<Option>& options);

/// Position of the name of the command, if any: the first word. Options of any command may come before
/// it. Throws as pieces_of.
std::optional<std::size_t> command_at(const Words& line);

}  // namespace claros::cli
