// SPDX-License-Identifier: BSD-3-Clause
/// @file fields.hpp  Delimited text: splitting lines into fields and fields into numbers, for every reader.
#pragma once

#include <claros/context.hpp>
#include <claros/io/text_input.hpp>
#include <claros/parameters.hpp>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// 'text' in quotes, cut to a length that fits a message; what cannot be seen by its number, as <U+200B>.
CLAROS_API std::string shown(std::string_view text);
/// Whether a text has a blank other than ' ', or a character without a width.
CLAROS_API bool has_invisible(std::string_view text) noexcept;

/// The whole field as an integer, or nothing.
CLAROS_API std::optional<Index> integer_of(std::string_view field) noexcept;
/// The whole field as a number (NaN and infinities included), or nothing.
CLAROS_API std::optional<double> number_of(std::string_view field) noexcept;
/// The whole field as a finite number, or an Error at the line of `input`; `name` says what the field is.
CLAROS_API double finite_number(const TextInput& input, std::string_view field, const std::string& name,
                                const std::string& remedy = {});

/// The choices of a delimiter and of a header, as ranges of a parameter table.
Range delimiter_range();
Range header_range();

/// Throws Error(usage) unless every option is within the range of its row.
template <class Options>
void expect_in_range(Options options, const std::vector<ParameterRow<Options>>& rows) {
  for (const ParameterRow<Options>& row : rows) row.assign(options, row.print(options));
}

/// Splits lines at one delimiter, given by its word (not "auto"). Fields lose the blanks around them and
/// their quotes.
class CLAROS_API FieldSplitter {
 public:
  FieldSplitter(const TextInput& input, std::string_view word);
  /// The word of the delimiter that `line` seems to have outside of quotes; empty when it holds none.
  static std::string guess(std::string_view line);
  /// Views into `line` or into this object, valid until the next call. Throws Error(data) for an open quote.
  const std::vector<std::string_view>& split(std::string_view line);
  /// True if a quoted field of the line goes on in the next one.
  bool is_open(std::string_view line);
  const std::string& word() const noexcept { return word_; }

 private:
  std::size_t take(std::string_view line, std::size_t at);
  std::size_t take_quoted(std::string_view line, std::size_t at);
  bool try_split(std::string_view line);
  std::size_t find_delimiter(std::string_view line, std::size_t at) const;
  std::size_t after_delimiter(std::string_view line, std::size_t at) const;

  const TextInput& input_;
  std::string word_, text_;  ///< of `space`, the text is empty
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;
  bool open_ = false;  ///< true if the last quoted field was not closed
};

/// When a first line without a declaration is a header.
struct HeaderRule {
  /// Unset: a line without a number. "1,5" is a number, and "$2" or a date if one is below it.
  std::function<bool(const std::vector<std::string_view>& fields)> is_header = {};
  /// Whether a header looks like the line behind it, so that it may well be data; unset: never.
  std::function<bool(const std::vector<std::string>& names, const std::vector<std::string_view>& next)>
      is_alike = {};
};

/// The records of a delimited file. The delimiter and the header are settled on construction. Every record
/// has as many fields as the first, and at least `least`. A record is a line, or several if quotes hold line
/// breaks (RFC 4180), which are read as blanks. Blank lines are skipped. If lines have one field, one before
/// a record is a record of a blank field. So is a line of tabs if these part fields.
class CLAROS_API FieldReader {
 public:
  FieldReader(TextInput& input, std::string_view delimiter, std::string_view header, std::size_t least,
              const HeaderRule& rule = {});
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;
  /// Moves to the next record of data; false at the end of the file.
  bool next();
  /// Moves over one without splitting it.
  bool skip();
  const std::vector<std::string_view>& fields() const noexcept { return *fields_; }
  /// Its word; empty if lines have one field.
  std::string_view delimiter() const noexcept { return splitter_ ? splitter_->word() : std::string_view(); }
  Index line() const noexcept { return input_.line() - blanks_; }
  /// "file:line"
  std::string where() const { return input_.where(line()); }
  /// The header; empty when there is none.
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// Whether a header was found, not declared, and where it is.
  bool header_is_guess() const noexcept { return !taken_for_header_.empty(); }
  std::string header_place() const { return input_.where(header_line_); }
  /// The number of its last line; 0 if there is none.
  Index header_line() const noexcept { return header_line_; }
  std::string file() const { return input_.path().string(); }
  /// The number of fields of a line.
  std::size_t width() const noexcept { return width_; }
  /// Says which line was taken for a header because none of its fields is a number.
  void note_header(const Context& context) const;
  /// Field `i` as a finite number; `name` says what it is.
  double number(std::size_t i, const std::string& name) const;
  /// Throws Error(data) at this line; on the first one the remedy says how to declare a header.
  [[noreturn]] void fail(std::string what, std::string remedy = {}) const;

 private:
  /// True if the first line, which has just been split, is a header by the default rule.
  bool has_names() const;
  bool record(std::string_view& line);
  /// Appends lines to `line` until its quotes are closed.
  void complete(std::string_view& line);
  void unread();
  void split(std::string_view line);
  void expect_unlike(const HeaderRule& rule);
  [[noreturn]] void fail_count(std::string_view line) const;
  std::string header_hint() const;
  std::string delimiter_hint(std::string_view line, std::size_t needed) const;

  TextInput& input_;
  std::optional<FieldSplitter> splitter_;
  const std::vector<std::string_view>* fields_ = nullptr;
  std::vector<std::string> names_;
  std::size_t least_;
  std::size_t width_ = 0;
  std::string taken_for_header_;  ///< its text, unless it was declared
  Index first_line_ = 0, header_line_ = 0;
  std::string record_;  ///< a record of several lines
  bool again_ = false;  ///< true if it comes again
  Index blanks_ = 0;    ///< blank records before the line that `input_` has read, the current one included
};

}  // namespace claros
