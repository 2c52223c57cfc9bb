// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/value_semantic.hpp>

namespace claros::cli {

namespace {

namespace po = boost::program_options;

constexpr const char* kWord = "word";

po::options_description described(const std::vector<Option>& options) {
  po::options_description result;
  for (const Option& option : options) {
    const std::string name = option.name == "help" ? "help,h" : option.name;
    if (option.value.empty())
      result.add_options()(name.c_str(), "");
    else
      result.add_options()(name.c_str(), po::value<std::string>(), "");
  }
  result.add_options()(kWord, po::value<std::string>(), "");
  return result;
}

/// An option that lacks its value, or has one that it does not take.
Error misused(const po::invalid_command_line_syntax& error, const std::vector<Option>& options) {
  const std::string name = error.get_option_name();
  for (const Option& option : options) {
    if ("--" + option.name != name) continue;
    if (!option.value.empty()) return {ErrorKind::usage, name, "needs a value", "write " + option.usage()};
    return {ErrorKind::usage, name, "takes no value", "write " + name + " alone"};
  }
  return {ErrorKind::usage, name, error.what()};
}

/// Unknown options are kept, so that all of them can be complained about.
std::vector<po::option> parsed(const std::vector<std::string>& tokens, const std::vector<Option>& options,
                               const std::string& command) {
  using namespace po::command_line_style;
  const po::options_description description = described(options);
  const po::positional_options_description words = po::positional_options_description().add(kWord, -1);
  try {
    return po::command_line_parser(tokens)
        .options(description)
        .positional(words)
        .allow_unregistered()
        .style(unix_style & ~allow_guessing)
        .run()
        .options;
  } catch (const po::invalid_command_line_syntax& error) {
    throw misused(error, options);
  } catch (const po::error& error) {
    throw Error(ErrorKind::usage, command, error.what(), "see claros help " + command);
  }
}

Complaint unknown_option(const std::string& written, const std::vector<Option>& options,
                         const std::string& command) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + option.name);
  const std::string name = written.substr(0, written.find('='));
  const std::string guess = did_you_mean(name, names);
  const std::string owner = command.empty() ? "claros" : "claros " + command;
  const std::string help = command.empty() ? "see claros --help" : "see claros help " + command;
  return {name, "is no option of " + owner, guess.empty() ? help : guess};
}

bool may_repeat(const std::string& name, const std::vector<Option>& options) {
  for (const Option& option : options)
    if (option.name == name) return option.repeatable || option.value.empty();
  return false;
}

}  // namespace

std::string Option::usage() const { return "--" + name + (value.empty() ? "" : ' ' + value); }

Arguments::Arguments(const std::vector<std::string>& tokens, const std::vector<Option>& options,
                     const std::string& command) {
  std::vector<Complaint> complaints;
  for (const po::option& option : parsed(tokens, options, command)) {
    if (option.unregistered) {
      complaints.push_back(unknown_option(option.original_tokens.front(), options, command));
    } else if (option.string_key == kWord) {
      words_.insert(words_.end(), option.value.begin(), option.value.end());
    } else {
      if (has(option.string_key) && !may_repeat(option.string_key, options))
        complaints.push_back({"--" + option.string_key, "is given twice", "give it once"});
      auto& values = values_[option.string_key];
      values.insert(values.end(), option.value.begin(), option.value.end());
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
