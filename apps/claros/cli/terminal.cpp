// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace claros::cli {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::atomic<bool> lost = false;

std::size_t columns(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::clamp<std::size_t>(size.ws_col, 40, 100);
}

}  // namespace

Stream::Stream(std::FILE* file)
    : file_(file),
      terminal_(::isatty(::fileno(file)) == 1),
      cursor_(terminal_ && !environment("TERM").empty() && environment("TERM") != "dumb"),
      colour_(cursor_ && environment("NO_COLOR").empty()),
      width_(columns(::fileno(file))) {}

std::string Stream::styled(std::string_view code, std::string_view text) const {
  if (!colour_) return std::string(text);
  return "\x1b[" + std::string(code) + 'm' + std::string(text) + "\x1b[0m";
}

void Stream::write(std::string_view text) const {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
  const int code = errno;
  if (written || code == EPIPE) return;
  std::clearerr(file_);
  if (file_ == stderr) return void(lost = true);
  throw Error(ErrorKind::data, "standard output",
              "cannot be written: " + std::generic_category().message(code),
              "check that the disk or the reading program accepts data");
}

bool messages_lost() noexcept { return lost; }

const Stream& out() {
  static const Stream stream(stdout);
  return stream;
}

const Stream& err() {
  static const Stream stream(stderr);
  return stream;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result, line;
  const auto flush = [&] {
    result += line.empty() ? "\n" : std::string(indent, ' ') + line + '\n';
    line.clear();
  };
  const auto add = [&](std::string_view word) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) flush();
    if (!line.empty()) line += ' ';
    line += word;
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] != ' ' && text[at] != '\n') continue;
    if (at > begin) add(text.substr(begin, at - begin));
    if (at < text.size() && text[at] == '\n') flush();
    begin = at + 1;
  }
  if (!line.empty()) flush();
  return result;
}

std::string row(std::string_view name, std::string_view text, std::size_t indent, std::size_t column,
                std::size_t width) {
  std::string lines = wrapped(text, indent + column, width);
  const std::string lead = std::string(indent, ' ') + std::string(name);
  if (name.size() + 2 > column) return lead + '\n' + lines;
  return lines.empty() ? lead + '\n' : lines.replace(0, lead.size(), lead);
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7F) c = '?';
  return result;
}

namespace {

/// Display columns of UTF-8 text: its bytes that do not continue a character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], width_of(row[j]));
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j)
      line += row[j] + std::string(widths[j] - width_of(row[j]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    table += (&row == &rows.front() ? out().bold(line) : line) + '\n';
  }
  return table;
}

std::string shell_word(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("/._-=+:,").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace claros::cli
