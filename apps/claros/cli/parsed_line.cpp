// SPDX-License-Identifier: BSD-3-Clause
#include "cli/parsed_line.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <algorithm>

#include "cli/command.hpp"

namespace claros::cli {

namespace {

namespace po = boost::program_options;

constexpr const char* kWord = "word";  // no option is called so

po::options_description described(const std::vector<Option>& options) {
  po::options_description result;
  for (const Option& option : options) {
    const std::string name = option.name == "help" ? "help,h" : option.name;
    if (option.value.empty())
      result.add_options()(name.c_str(), option.meaning.c_str());
    else
      result.add_options()(name.c_str(), po::value<std::string>(), option.meaning.c_str());
  }
  result.add_options()(kWord, po::value<std::string>(), "");
  return result;
}

const Option* find(const std::string& name, const std::vector<Option>& options) {
  const auto at =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return "--" + o.name == name; });
  return at == options.end() ? nullptr : &*at;
}

Error lacks_value(const Option& option) {
  return {ErrorKind::usage, "--" + option.name, "needs a value", "write " + option.usage()};
}

/// An option that lacks its value, or has one that it does not take.
Error misused(const po::invalid_command_line_syntax& error, const std::vector<Option>& options) {
  const std::string name = error.get_option_name();
  const Option* option = find(name, options);
  if (!option)
    return {ErrorKind::usage, name.empty() ? "--=" : name, "is not an option",
            "claros --help lists the options"};
  if (!option->value.empty()) return lacks_value(*option);
  return {ErrorKind::usage, name, "takes no value", "write " + name + " alone"};
}

std::vector<po::option> parsed(const Words& line, const std::vector<Option>& options) {
  using namespace po::command_line_style;
  const po::options_description description = described(options);
  const po::positional_options_description words = po::positional_options_description().add(kWord, -1);
  // Unknown options are kept, so that all of them can be complained about.
  return po::command_line_parser(line)
      .options(description)
      .positional(words)
      .allow_unregistered()
      .style(unix_style & ~allow_guessing)
      .run()
      .options;
}

/// "--out --json": what was to be the value is an option itself. "--out=--json" says that it is a value.
void refuse_swallowed(const po::option& option, const std::vector<Option>& options) {
  if (option.original_tokens.size() < 2) return;
  const std::string& value = option.original_tokens.back();
  if (find(value.substr(0, value.find('=')), options))
    throw lacks_value(*find("--" + option.string_key, options));
}

/// "--word=x" and "--=x" are not words, though the parser takes them for words.
Piece piece_of(const po::option& option) {
  Piece piece{option.string_key, option.value.empty() ? "" : option.value.front(),
              option.original_tokens.empty() ? "" : option.original_tokens.front(), !option.unregistered};
  if (piece.name != kWord) return piece;
  if (piece.written == piece.value)
    piece.name.clear();
  else
    piece.known = false;
  return piece;
}

}  // namespace

std::vector<Piece> pieces_of(const Words& line, const std::vector<Option>& options) {
  std::vector<Piece> pieces;
  try {
    for (const po::option& option : parsed(line, options)) {
      if (!option.unregistered && option.string_key != kWord) refuse_swallowed(option, options);
      pieces.push_back(piece_of(option));
    }
  } catch (const po::invalid_command_line_syntax& error) {
    throw misused(error, options);
  }
  return pieces;
}

std::optional<std::size_t> command_at(const Words& line) {
  std::optional<Error> unfinished;
  for (std::size_t end = 1; end <= line.size(); ++end) try {
      unfinished.reset();
      for (const po::option& option :
           parsed({line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end)}, all_options()))
        if (piece_of(option).is_word()) return end - 1;
    } catch (const po::invalid_command_line_syntax& error) {
      unfinished = misused(error, all_options());
      // The value may be the next word.
      if (error.kind() != po::invalid_command_line_syntax::missing_parameter) break;
    }
  if (unfinished) throw *unfinished;
  return std::nullopt;
}

}  // namespace claros::cli
