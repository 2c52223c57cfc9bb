// SPDX-License-Identifier: BSD-3-Clause
/// @file command.hpp  The table of commands, from which dispatch, help and "did you mean" work.
#pragma once

#include "cli/arguments.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace claros::cli {

struct Command {
  std::string name;
  std::string usage;       ///< its words: "SPEC [section.key=value ...]"
  std::string summary;     ///< one line
  std::string about = {};  ///< what help adds, printed verbatim (commands/help.txt)
  std::vector<Option> options;
  int (*run)(const Arguments&);  ///< returns the exit code
};

/// The table that main has set, before anything else reads it.
const std::vector<Command>& commands();
void set_commands(std::vector<Command> table);

/// --plugin-path, --threads, --help: taken by every command.
const std::vector<Option>& common_options();
/// These and --version: the options that make sense without a command.
const std::vector<Option>& lone_options();
/// The options of one command, including the common ones.
std::vector<Option> options_of(const Command& command);
/// The options of all commands. An option of several is a flag of all of them or of none.
const std::vector<Option>& all_options();

/// Any number of words.
inline constexpr std::size_t kAnyWords = std::numeric_limits<std::size_t>::max();

/// A word of a usage, and the positions that it may take, counted from 0.
struct Slot {
  std::string name;
  bool required;
  std::size_t first, last;
};
/// The positions of "[SPEC] [section.key=value ...]": SPEC may be the first word only, an assignment any
/// word.
std::vector<Slot> slots_of(const std::string& usage);

/// The command of that name; throws Error(usage) with a suggestion.
const Command& command(const std::string& name);

}  // namespace claros::cli
