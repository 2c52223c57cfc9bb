// SPDX-License-Identifier: BSD-3-Clause
#include "cli/arguments.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/command.hpp"
#include "cli/parsed_line.hpp"

namespace claros::cli {

namespace {

/// A choice that ends in '=' or '@' is followed by a value.
bool chooses(const std::string& choice, const std::string& value) {
  return choice.ends_with('=') || choice.ends_with('@') ? value.starts_with(choice) : value == choice;
}

std::optional<Complaint> no_choice(const Option& option, const std::string& value) {
  const auto chosen = [&](const std::string& choice) { return chooses(choice, value); };
  if (option.choices.empty() || std::any_of(option.choices.begin(), option.choices.end(), chosen)) return {};
  const std::string list = joined(option.choices);
  const auto equals = value.find('=');
  const std::string guess =
      did_you_mean(equals == value.npos ? value : value.substr(0, equals + 1), option.choices);
  const char* verb = option.choices.front().ends_with('=') ? "starts with none of " : "is not one of ";
  return Complaint{"--" + option.name, "'" + value + "' " + verb + list,
                   guess.empty() ? option.meaning : guess};
}

/// Names of options in other programs stand beside ours.
constexpr std::pair<std::string_view, std::string_view> kOtherOptions[] = {
    {"rows", "user users for user-id user_id"},
    {"columns", "for to item items"},
    {"only", "item items"},
    {"never", "exclude"},
    {"without", "exclude seen"},
    {"top", "count k n limit number"},
    {"out", "output o train"},
    {"dir", "output out o"},
    {"delimiter", "sep separator"},
    {"jobs", "j n-jobs"},
    {"threads", "cores"},
    {"quiet", "silent q"},
    {"verbose", "debug v"},
    {"seed", "random-state"},
    {"share", "test-size ratio fraction"},
    {"held", "test holdout"},
    {"one-a-row", "leave-one-out loo"},
    {"ranking", "metric ndcg"},
    {"vary", "algorithm algorithms solvers"}};

/// Words that mean an operand of a usage.
constexpr std::pair<std::string_view, std::string_view> kOperands[] = {
    {"FILE", "file data ratings input csv x user users item items pair pairs"},
    {"DIR", "dir model fit run folder result"},
    {"KIND", "kind type"},
    {"NAME", "name component plugin objective loss penalty set algorithm"},
    {"SPEC", "spec config"},
    {"LIB.so", "lib file"}};

bool holds(std::string_view words, const std::string& word) {
  return (' ' + std::string(words) + ' ').find(' ' + word + ' ') != std::string::npos;
}

/// The option of `options` that another program calls `name`; empty: none.
std::string in_other_words(const std::string& name, const std::vector<Option>& options) {
  const std::string word = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  for (const auto& [ours, theirs] : kOtherOptions)
    for (const Option& option : options)
      if (option.name == ours && holds(theirs, word) && option.value != "LIST")  // a LIST names fields
        return "did you mean '--" + option.name + "'?";
  return {};
}

/// The usage of `command` if `name` means one of its words; empty if it means none.
std::string as_operand(const std::string& name, const std::string& command) {
  const auto at = std::ranges::find(commands(), command, &Command::name);
  if (at == commands().end()) return {};
  const std::string word = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  for (const Slot& slot : slots_of(at->usage))
    for (const auto& [operand, words] : kOperands)
      if (('|' + slot.name + '|').find('|' + std::string(operand)) != std::string::npos && holds(words, word))
        return "write claros " + command + ' ' + at->usage;
  const auto named = std::ranges::find(commands(), word, &Command::name);
  // These mean a file more often than the command, or the program itself.
  const bool other = word == "data" || word == "path" || word == "version";
  return named == commands().end() || other ? std::string() : "write claros " + word + ' ' + named->usage;
}

bool takes_settings(const std::string& command) {
  const auto at = std::ranges::find(commands(), command, &Command::name);
  return at == commands().end() || at->usage.find("section.key=value") != std::string::npos;
}

}  // namespace

std::string Option::usage() const { return "--" + name + (value.empty() ? "" : ' ' + value); }

Complaint unknown_option(const std::string& written, const std::vector<Option>& options,
                         const std::string& command) {
  const std::string name = written.substr(0, written.find('='));
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + option.name);
  const bool letter = name.size() == 2;  // near every other
  std::string remedy = in_other_words(name, options);
  if (remedy.empty()) remedy = as_operand(name, command);
  if (remedy.empty() && (!letter || std::count(names.begin(), names.end(), '-' + name)))
    remedy = did_you_mean(name, names);
  for (const Command& other : commands())
    for (const Option& option : other.options)
      if (remedy.empty() && "--" + option.name == name) remedy = "claros " + other.name + " has it";
  if (remedy.empty() && name == "--version") remedy = "write claros --version";
  if (remedy.empty())
    remedy = command.empty()           ? "see claros --help"
             : takes_settings(command) ? "see claros help " + command
                                       : "write claros help " + command + ", which lists its options";
  return {name, "is not an option of " + (command.empty() ? "claros" : "claros " + command), remedy};
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
      const Option& option = *std::find_if(options.begin(), options.end(),
                                           [&](const Option& o) { return o.name == piece.name; });
      if (has(piece.name) && !option.repeatable && !option.value.empty())
        complaints.push_back({"--" + piece.name, "is given twice", "give it once"});
      if (auto complaint = no_choice(option, piece.value)) unfit_.push_back(*std::move(complaint));
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
