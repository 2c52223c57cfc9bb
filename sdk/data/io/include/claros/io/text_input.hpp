// SPDX-License-Identifier: BSD-3-Clause
/// @file text_input.hpp  A text file, plain or compressed, as a stream of numbered lines.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace claros {

/// Reads a regular file line by line; gzip, bzip2, xz and zstd are recognised by their first bytes, whatever
/// the file is called. Lines end in LF or CRLF; a UTF-8 byte order mark is dropped; bytes above 127 pass
/// unchanged. Every fault throws Error(data, "file:line", ...). Faults are a missing, empty or unreadable
/// file, a directory, and a pipe. A truncated or corrupt compressed stream, a line above 256 MiB, and control
/// characters are faults too. So is a file whose first bytes say what else it is ("a PNG image"). The remedy
/// then names the formats that are read.
class CLAROS_API TextInput {
 public:
  explicit TextInput(std::filesystem::path path);
  /// Reads `stream`, which outlives this, from where it stands; `name` stands for the file in messages. Not
  /// decompressed.
  TextInput(std::istream& stream, const std::string& name);
  ~TextInput();
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  /// The next line without its end, or false at the end of the file. The view is valid until the next call.
  bool next(std::string_view& line);
  /// The next line that is not blank.
  bool next_filled(std::string_view& line);
  /// Makes the last line come again; it stays valid until then.
  void unread() noexcept;

  const std::filesystem::path& path() const noexcept;
  /// The number of the last line that was read, from 1; 0 before the first.
  Index line() const noexcept;
  /// "file:line"
  std::string where(Index line) const;
  /// Throws Error(data) at the last line that was read.
  [[noreturn]] void fail(std::string what, std::string remedy = {}) const;

 private:
  void begin();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace claros
