// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <algorithm>
#include <utility>

#include "command.hpp"
#include "parsed_line.hpp"

namespace claros::cli {

namespace {

bool may_repeat(const std::string& name, const std::vector<Option>& options) {
  for (const Option& option : options)
    if (option.name == name) return option.repeatable || option.value.empty();
  return false;
}

}  // namespace

std::string Option::usage() const { return "--" + name + (value.empty() ? "" : ' ' + value); }

Complaint unknown_option(const std::string& written, const std::vector<Option>& options, const std::string& command) {
  const std::string name = written.substr(0, written.find('='));
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + option.name);
  const bool letter = name.size() == 2;  // near every other
  std::string remedy = letter && !std::count(names.begin(), names.end(), '-' + name) ? "" : did_you_mean(name, names);
  for (const Command& other : commands())
    for (const Option& option : other.options)
      if (remedy.empty() && "--" + option.name == name) remedy = "claros " + other.name + " has it";
  if (remedy.empty() && name == "--version") remedy = "write claros --version";
  if (remedy.empty()) remedy = command.empty() ? "see claros --help" : "see claros help " + command;
  return {name, "is no option of " + (command.empty() ? "claros" : "claros " + command), remedy};
}

Arguments::Arguments(const std::vector<std::string>& tokens, const std::vector<Option>& options,
                     const std::string& command) {
  std::vector<Complaint> complaints;
  for (const Piece& piece : pieces_of(tokens, options)) {
    if (piece.is_word()) {
      words_.push_back(piece.value);
    } else if (!piece.known) {
      complaints.push_back(unknown_option(piece.written, options, command));
    } else {
      if (has(piece.name) && !may_repeat(piece.name, options))
        complaints.push_back({"--" + piece.name, "is given twice", "give it once"});
      values_[piece.name].push_back(piece.value);
    }
  }
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

std::optional<std::string> Arguments::get(const std::string& option) const {
  const std::vector<std::string> values = all(option);
  return values.empty() ? std::nullopt : std::optional(values.back());
}

std::vector<std::string> Arguments::all(const std::string& option) const {
  const auto at = values_.find(option);
  return at == values_.end() ? std::vector<std::string>() : at->second;
}

}  // namespace claros::cli
