// SPDX-License-Identifier: BSD-3-Clause
/// @file command.hpp  The table of commands, from which dispatch, help and "did you mean" work.
#pragma once

#include "main/arguments.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace claros::cli {

struct Command {
  std::string name;
  std::string usage;    ///< its words: "SPEC [section.key=value ...]"
  std::string summary;  ///< one line
  std::string about;    ///< what help adds, printed verbatim
  std::vector<Option> options;
  int (*run)(const Arguments&);  ///< returns the exit code
};

const std::vector<Command>& commands();
// Its themes, one a file.
std::vector<Command> catalogue_theme();
std::vector<Command> solving_theme();
std::vector<Command> grid_theme();
std::vector<Command> data_theme();
std::vector<Command> plugin_theme();
std::vector<Command> program_theme();
/// The help text of the commands that take a specification.
extern const char* const kAboutSpec;

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

// The functions of the commands, one a file.
int list_command(const Arguments&);
int describe_command(const Arguments&);
int compositions_command(const Arguments&);
int check_command(const Arguments&);
int advise_command(const Arguments&);
int run_command(const Arguments&);
int resume_command(const Arguments&);
int compare_command(const Arguments&);
int tune_command(const Arguments&);
int path_command(const Arguments&);
int plot_command(const Arguments&);
int report_command(const Arguments&);
int convert_command(const Arguments&);
int data_command(const Arguments&);
int reproduce_command(const Arguments&);
int predict_command(const Arguments&);
int recommend_command(const Arguments&);
int split_command(const Arguments&);
int cite_command(const Arguments&);
int new_plugin_command(const Arguments&);
int doctor_command(const Arguments&);
int complete_command(const Arguments&);
int help_command(const Arguments&);
int version_command(const Arguments&);

/// The page of one command, and the front page.
std::string help_page(const Command&);
std::string front_page();

}  // namespace claros::cli
