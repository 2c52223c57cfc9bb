// SPDX-License-Identifier: BSD-3-Clause
#include "complete/unfinished_line.hpp"

#include "cli/parsed_line.hpp"

#include <algorithm>

namespace claros::cli {

namespace {

/// Replaces the last word while the line is parsed: the role that it gets tells what may be written there.
const std::string kCursor = "--\x01";

std::optional<Option> option_named(const UnfinishedLine& line, const std::string& name) {
  const std::vector<Option> options = line.command ? options_of(*line.command) : all_options();
  const auto at =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return "--" + o.name == name; });
  return at == options.end() ? std::nullopt : std::optional(*at);
}

void take(UnfinishedLine& line, const Piece& piece) {
  if (piece.is_word())
    piece.value == kCursor ? void(line.options_end = true) : line.words.push_back(piece.value);
  else if (!piece.known)
    return;
  else if (piece.value == kCursor)
    line.pending = option_named(line, "--" + piece.name);
  else
    line.given.push_back(piece.name);
  if (piece.name == "plugin-path" && piece.value != kCursor) line.plugin_path.push_back(piece.value);
  if (piece.name == "trust" && piece.value != kCursor) line.trust.push_back(piece.value);
}

void read_before(UnfinishedLine& line, Words before) {
  before.push_back(kCursor);
  if (const auto at = command_at(before); at && *at + 1 < before.size()) {
    line.command = &command(before[*at]);
    before.erase(before.begin() + static_cast<std::ptrdiff_t>(*at));
  }
  for (const Piece& piece : pieces_of(before, line.command ? options_of(*line.command) : all_options()))
    take(line, piece);
}

}  // namespace

std::vector<Option> options_of(const UnfinishedLine& line) {
  return line.command ? options_of(*line.command) : lone_options();
}

UnfinishedLine read_line(const std::vector<std::string>& words) {
  UnfinishedLine line;
  line.begun = words.back();
  read_before(line, {words.begin(), words.end() - 1});
  const auto equals = line.begun.find('=');
  if (line.pending || line.options_end || !line.begun.starts_with("--") || equals == line.begun.npos)
    return line;
  line.pending = option_named(line, line.begun.substr(0, equals));
  line.known = line.pending.has_value();
  line.lead = line.begun.substr(0, equals + 1);
  line.begun.erase(0, equals + 1);
  return line;
}

}  // namespace claros::cli
