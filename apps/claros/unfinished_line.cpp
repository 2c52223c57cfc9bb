// SPDX-License-Identifier: BSD-3-Clause
#include "unfinished_line.hpp"

#include <limits>
#include <sstream>

namespace claros::cli {

namespace {

std::optional<Option> option_named(const UnfinishedLine& line, const std::string& name) {
  for (const Option& option : options_of(line))
    if ("--" + option.name == name) return option;
  return {};
}

void take_value(UnfinishedLine& line, const Option& option, const std::string& value) {
  if (option.name == "plugin-path") line.plugin_path.push_back(value);
  if (option.name == "trust") line.trust.push_back(value);
}

void take_option(UnfinishedLine& line, const std::string& word) {
  const auto equals = word.find('=');
  const auto option = option_named(line, word.substr(0, equals));
  if (!option) return;
  line.given.push_back(option->name);
  if (equals != word.npos)
    take_value(line, *option, word.substr(equals + 1));
  else if (!option->value.empty())
    line.pending = option;
}

void take_command(UnfinishedLine& line, const std::string& word) {
  for (const Command& c : commands())
    if (c.name == word) line.command = &c;
  line.known = line.command != nullptr;
}

}  // namespace

std::vector<Option> options_of(const UnfinishedLine& line) {
  std::vector<Option> options = line.command ? line.command->options : std::vector<Option>();
  options.insert(options.end(), common_options().begin(), common_options().end());
  if (!line.command) options.push_back({"version", "", "version of the library"});
  return options;
}

UnfinishedLine read_line(const std::vector<std::string>& words) {
  UnfinishedLine line;
  line.begun = words.back();
  for (auto word = words.begin(); word + 1 != words.end() && line.known; ++word) {
    if (line.pending) {
      take_value(line, *line.pending, *word);
      line.pending.reset();
    } else if (!line.options_end && *word == "--") {
      line.options_end = true;
    } else if (!line.options_end && word->starts_with('-')) {
      take_option(line, *word);
    } else if (!line.command) {
      take_command(line, *word);
    } else {
      line.words.push_back(*word);
    }
  }
  const auto equals = line.begun.find('=');
  if (line.pending || line.options_end || !line.begun.starts_with("--") || equals == line.begun.npos) return line;
  line.pending = option_named(line, line.begun.substr(0, equals));
  line.known = line.pending.has_value();
  line.lead = line.begun.substr(0, equals + 1);
  line.begun.erase(0, equals + 1);
  return line;
}

std::vector<Slot> slots_of(const std::string& usage) {
  constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();
  std::vector<Slot> slots;
  std::size_t least = 0, most = 0;
  std::istringstream tokens(usage);
  for (std::string token; tokens >> token && !token.starts_with("--");) {
    if (token.starts_with("...")) {
      most = slots.back().last = kNoEnd;
      continue;
    }
    const bool optional = token.starts_with('[');
    const auto end = token.find_last_not_of(']') + 1;
    slots.push_back({token.substr(optional, end - optional), least, most});
    least += optional ? 0 : 1;
    most += most == kNoEnd ? 0 : 1;
  }
  return slots;
}

}  // namespace claros::cli
