// SPDX-License-Identifier: BSD-3-Clause
/// @file terminal.hpp  The two output streams: whether they are terminals, how wide they are, and text
/// that fits.
#pragma once

#include <claros/error.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace claros::cli {

/// stdout or stderr.
class Stream {
 public:
  explicit Stream(std::FILE* file);

  /// True if a terminal is at the other end.
  bool terminal() const noexcept { return terminal_; }
  /// True if escape sequences move the cursor there: not on TERM=dumb.
  bool cursor() const noexcept { return cursor_; }
  /// The columns of the terminal, at most 100 and at least 40; 80 elsewhere.
  std::size_t width() const noexcept { return width_; }

  /// Bold if `cursor()` and NO_COLOR (no-color.org) is unset or empty; unchanged elsewhere.
  std::string bold(std::string_view text) const { return styled("1", text); }
  /// Likewise. An error is bold red, a warning bold yellow, a note dim.
  std::string red(std::string_view text) const { return styled("1;31", text); }
  std::string yellow(std::string_view text) const { return styled("1;33", text); }
  std::string dim(std::string_view text) const { return styled("2", text); }

  /// Writes and flushes. A closed pipe (`claros list | head -1`) is not an error; anything else, such
  /// as a full disk, throws Error(data) of stdout. Messages that stderr does not take are lost:
  /// `messages_lost`.
  void write(std::string_view text) const;

 private:
  std::string styled(std::string_view code, std::string_view text) const;

  std::FILE* file_;
  bool terminal_, cursor_, colour_;
  std::size_t width_;
};

/// True if stderr refused a message, for another reason than a reader that went away.
bool messages_lost() noexcept;

const Stream& out();
const Stream& err();

/// `text` broken at blanks into lines of at most `width` columns, each led by `indent` blanks; its own line
/// breaks stay. A longer word has a line of its own. Ends with a line break.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// `name` in a column of `column` blanks' width after `indent`, then `text` wrapped beside it.
std::string row(std::string_view name, std::string_view text, std::size_t indent, std::size_t column,
                std::size_t width);

/// Rows of fields below each other, two blanks between; the first row is a title.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// One line: control characters (escape sequences of a file name among them) become '?'.
std::string printable(std::string_view text);

/// A word of a shell command, in quotes if it needs them.
std::string shell_word(const std::string& word);

}  // namespace claros::cli
