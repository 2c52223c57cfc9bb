// SPDX-License-Identifier: BSD-3-Clause
/// @file command.hpp  The table of commands, from which dispatch, help and "did you mean" work.
#pragma once

#include "arguments.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace claros::cli {

/// Any number of words.
inline constexpr std::size_t kAnyWords = std::numeric_limits<std::size_t>::max();

struct Command {
  std::string name;
  std::string usage;    ///< its words: "SPEC [section.key=value ...]"
  std::string summary;  ///< one line
  std::string about;    ///< what help adds, printed as it stands
  std::vector<Option> options;
  std::size_t fewest_words, most_words;
  int (*run)(const Arguments&);  ///< returns the exit code
};

const std::vector<Command>& commands();
/// --plugin-path, --threads, --help: taken by every command, before or after its name.
const std::vector<Option>& common_options();

/// The command of that name; throws Error(usage) with a guess at what was meant.
const Command& command(const std::string& name);

// One a file.
int list(const Arguments&);
int describe(const Arguments&);
int check(const Arguments&);
int run(const Arguments&);
int resume(const Arguments&);
int compare(const Arguments&);
int tune(const Arguments&);
int plot(const Arguments&);
int data(const Arguments&);
int reproduce(const Arguments&);
int predict(const Arguments&);
int cite(const Arguments&);
int new_plugin(const Arguments&);
int doctor(const Arguments&);
int complete(const Arguments&);
int help(const Arguments&);
int version(const Arguments&);

/// The page of one command, and the front page.
std::string help_page(const Command&);
std::string front_page();

}  // namespace claros::cli
