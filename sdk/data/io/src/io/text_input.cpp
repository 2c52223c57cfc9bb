// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/file_limits.hpp>
#include "io/compressed_stream.hpp"
#include "io/file_kind.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <istream>
#include <vector>

namespace claros {
namespace {

/// The bytes that are read at once, for small files and for others.
constexpr std::size_t kSmall = 1 << 15, kLarge = 1 << 20;

/// Neither a tab nor printable; a line never holds its line feed.
bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7F;
}

/// The first control character, or the end. It tests eight bytes at once. A byte below 0x20 or equal to 0x7F
/// sets its highest bit in `suspects` (as may its neighbour, and tabs do). Such eight are then tested one by
/// one.
const char* find_control(const char* at, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kHigh = 0x80 * kOnes;
  for (; end - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    const std::uint64_t other = word ^ (0x7F * kOnes);
    const std::uint64_t suspects = (((word - 0x20 * kOnes) & ~word) | ((other - kOnes) & ~other)) & kHigh;
    if (suspects == 0) continue;
    if (const char* found = std::find_if(at, at + 8, is_control); found != at + 8) return found;
  }
  return std::find_if(at, end, is_control);
}

std::string hexadecimal(char c) {
  const char* digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', digits[byte >> 4U], digits[byte & 15U]};
}

}  // namespace

/// The bytes [begin, end) of `block` are not handed out yet.
struct TextInput::State {
  std::filesystem::path path;
  boost::iostreams::filtering_streambuf<boost::iostreams::input> stream;
  std::string compression;
  std::uint64_t compressed = 0, expanded = 0;  ///< bytes of the file, and what came out of them so far
  std::size_t longest = longest_line();
  std::vector<char> block = std::vector<char>(kSmall);
  std::size_t begin = 0, end = 0;
  std::string_view last;
  Index line = 0;
  bool again = false;

  /// Appends bytes to the block; false at the end of the file.
  bool fill();
  std::size_t find_line_end();
};

bool TextInput::State::fill() {
  std::memmove(block.data(), block.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  if (end == block.size()) {
    if (block.size() >= longest)
      throw Error(ErrorKind::data, path.string() + ":" + std::to_string(line + 1),
                  "the line is longer than " + size_text(static_cast<double>(longest)),
                  "is this text? CLAROS_LINE in the environment allows a longer line; " + readable_formats());
    block.resize(std::min(2 * block.size(), longest));
  }
  try {
    const auto got = stream.sgetn(block.data() + end, static_cast<std::streamsize>(block.size() - end));
    if (got <= 0) return false;
    end += static_cast<std::size_t>(got);
    expanded += static_cast<std::uint64_t>(got);
  } catch (const std::exception& error) {
    const std::string where = path.string() + ":" + std::to_string(line + 1);
    if (compression.empty())
      throw Error(ErrorKind::data, where, std::string("reading failed: ") + error.what());
    throw Error(ErrorKind::data, where, "the " + compression + " stream is truncated or corrupt",
                "fetch or make the file again; " + readable_formats());
  }
  if (!compression.empty())
    expect_expansion(expanded, compressed, path.string() + ":" + std::to_string(line + 1), compression);
  return true;
}

/// The position of the line feed that ends the next line, or the end of the file.
std::size_t TextInput::State::find_line_end() {
  std::size_t length = 0;
  while (true) {
    const char* from = block.data() + begin + length;
    if (const void* found = std::memchr(from, '\n', end - begin - length))
      return static_cast<std::size_t>(static_cast<const char*>(found) - block.data());
    length = end - begin;
    if (!fill()) return end;
  }
}

TextInput::TextInput(std::filesystem::path path) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.path = std::move(path);
  s.compression = open_compressed(s.path, s.stream);
  s.compressed = std::filesystem::file_size(s.path);
  if (s.compressed >= kSmall) s.block.resize(kLarge);
  begin();
}

TextInput::TextInput(std::istream& stream, const std::string& name) : state_(std::make_unique<State>()) {
  state_->path = name;
  state_->stream.push(stream);
  begin();
}

void TextInput::begin() {
  State& s = *state_;
  if (!s.fill()) throw Error(ErrorKind::data, s.path.string(), "the file is empty", "expected lines of text");
  const std::string kind = binary_kind({s.block.data(), s.end});
  if (!kind.empty())
    throw Error(ErrorKind::data, s.path.string(),
                "is " + kind + (s.compression.empty() ? "" : " in " + s.compression) + "; expected text",
                readable_formats());
  if (const std::string wide = wide_encoding({s.block.data(), s.end}); !wide.empty())
    throw Error(ErrorKind::data, s.path.string(), "is " + wide + " text; expected UTF-8",
                "convert it: iconv -f " + wide + " -t UTF-8 FILE > NEW");
  if (s.end >= 3 && std::memcmp(s.block.data(), "\xEF\xBB\xBF", 3) == 0) s.begin = 3;
}

TextInput::~TextInput() = default;

bool TextInput::next(std::string_view& line) {
  State& s = *state_;
  if (!s.again) {
    const std::size_t stop = s.find_line_end();
    if (s.begin == s.end) return false;
    s.last = {s.block.data() + s.begin, stop - s.begin};
    s.begin = std::min(stop + 1, s.end);
    ++s.line;
    if (s.last.ends_with('\r')) s.last.remove_suffix(1);
    const char* bad = find_control(s.last.data(), s.last.data() + s.last.size());
    if (bad != s.last.data() + s.last.size())
      fail("byte " + hexadecimal(*bad) + " in column " + std::to_string(bad - s.last.data() + 1) +
               " is a control character; expected text",
           "is this a binary file? " + readable_formats());
  }
  s.again = false;
  line = s.last;
  return true;
}

bool TextInput::next_filled(std::string_view& line) {
  while (next(line))
    if (line.find_first_not_of(" \t") != std::string_view::npos) return true;
  return false;
}

void TextInput::unread() noexcept { state_->again = true; }

const std::filesystem::path& TextInput::path() const noexcept { return state_->path; }

Index TextInput::line() const noexcept { return state_->line; }

std::string TextInput::where(Index line) const { return state_->path.string() + ":" + std::to_string(line); }

void TextInput::fail(std::string what, std::string remedy) const {
  throw Error(ErrorKind::data, where(state_->line), std::move(what), std::move(remedy));
}

}  // namespace claros
