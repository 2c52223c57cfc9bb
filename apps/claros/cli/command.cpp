// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace claros::cli {

namespace {

std::vector<Command>& table() {
  static std::vector<Command> all;
  return all;
}

}  // namespace

const std::vector<Option>& common_options() {
  static const std::vector<Option> options{
      {"plugin-path", "DIR", "search DIR for plugins first; may be repeated", true},
      {"trust", "PATH", "skip the ownership check for this plugin or folder; may be repeated", true},
      {"threads", "N", "number of threads, short for run.threads=N; the result is the same for every N"},
      {"verbose", "", "print also notes that carry no decision, and the parts of a run's time"},
      {"help", "", "show this page; after a command, its page"},
  };
  return options;
}

const std::vector<Option>& lone_options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all = common_options();
    all.push_back({"version", "", "version of the library"});
    return all;
  }();
  return options;
}

std::vector<Option> options_of(const Command& c) {
  std::vector<Option> options = c.options;
  options.insert(options.end(), common_options().begin(), common_options().end());
  return options;
}

const std::vector<Option>& all_options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all = lone_options();
    const auto known = [&](const Option& o) {
      return std::any_of(all.begin(), all.end(), [&](const Option& other) { return other.name == o.name; });
    };
    for (const Command& c : commands())
      for (const Option& option : c.options)
        if (!known(option)) all.push_back(option);
    return all;
  }();
  return options;
}

const std::vector<Command>& commands() { return table(); }

void set_commands(std::vector<Command> all) { table() = std::move(all); }

/// The command that words of other programs mean.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"run", " fit train solve minimize minimise optimize "},
    {"path --folds 5", " cv "},
    {"predict", " score evaluate "},
    {"list", " plugins components "},
    {"version --verbose", " info config "},
    {"doctor --all", " test self-test selftest "},
    {"help --man DIR", " man "}};

const Command& command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& c : commands()) {
    if (c.name == name) return c;
    names.push_back(c.name);
  }
  std::string remedy;
  for (const auto& [meant, words] : kOtherWords)
    if (words.find(' ' + name + ' ') != words.npos)
      remedy = "did you mean claros " + std::string(meant) + '?';
  if (remedy.empty()) remedy = did_you_mean(name, names);
  if (remedy.empty()) {
    remedy = "the commands are";
    for (const std::string& known : names) remedy += ' ' + known;
  }
  throw Error(ErrorKind::usage, "'" + name + "'", "is not a command", remedy);
}

std::vector<Slot> slots_of(const std::string& usage) {
  std::vector<Slot> slots;
  std::size_t least = 0, most = 0;
  std::istringstream tokens(usage);
  for (std::string token; tokens >> token && token.find("--") == token.npos;) {
    if (token.starts_with("...")) {
      most = slots.back().last = kAnyWords;
      continue;
    }
    const bool optional = token.starts_with('[');
    const auto end = token.find_last_not_of(']') + 1;
    slots.push_back({token.substr(optional, end - optional), !optional, least, most});
    least += optional ? 0 : 1;
    most += most == kAnyWords ? 0 : 1;
  }
  return slots;
}

}  // namespace claros::cli
