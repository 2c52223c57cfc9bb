// SPDX-License-Identifier: BSD-3-Clause
/// @file unfinished_line.hpp  A command line as far as it is written, and what belongs where on it.
#pragma once

#include "cli/command.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace claros::cli {

/// A command line, read up to the cursor.
struct UnfinishedLine {
  const Command* command = nullptr;
  bool known = true;               ///< false in the value of an option that does not exist
  bool options_end = false;        ///< behind "--"
  std::vector<std::string> words;  ///< the words of the command, without options
  std::vector<std::string> given;  ///< names of the options before
  std::vector<std::filesystem::path> plugin_path, trust;
  std::optional<Option> pending;  ///< the option whose value comes next
  std::string lead, begun;        ///< of the last word: "--out=" and the rest
};

/// Reads the `words` after the name of the program; the last is the text before the cursor. Throws
/// Error(usage) if the command does not exist, or an option before the cursor is misused.
UnfinishedLine read_line(const std::vector<std::string>& words);
/// The options that may be written there.
std::vector<Option> options_of(const UnfinishedLine& line);

}  // namespace claros::cli
