// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/fields.hpp>

#include <claros/error.hpp>
#include <claros/io/csv.hpp>

#include <claros/io/file_limits.hpp>
#include "io/written_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace claros {
namespace {

constexpr std::string_view kBlank = " \t";

struct Delimiter {
  const char* word;
  const char* text;  ///< empty: any run of blanks
};

/// In the order in which a guess tries them: a field may well hold one that comes later.
constexpr std::array<Delimiter, 6> kDelimiters{{{"tab", "\t"},
                                                {"double-colon", "::"},
                                                {"semicolon", ";"},
                                                {"comma", ","},
                                                {"pipe", "|"},
                                                {"space", ""}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// `line` without what stands in quotes.
std::string outside_quotes(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool opens =
        line[at] == '"' && (at == 0 || std::string_view(" \t;,:|").find(line[at - 1]) != line.npos);
    std::size_t end = opens ? line.find('"', at + 1) : line.npos;
    while (end < line.size() - 1 && line[end + 1] == '"') end = line.find('"', end + 2);
    text += line[at];
    if (opens && end == line.npos) return text;  // the rest is within the quotes, which a later line closes
    if (end != line.npos) at = end;
  }
  return text;
}

/// Whether commas stand before decimals, at most one in each of three or more fields that `delimiter` parts.
bool has_decimal_commas(std::string_view text, const Delimiter& delimiter) {
  const auto digit = [&text](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
  for (std::size_t at = text.find(','); at != text.npos; at = text.find(',', at + 1))
    if (at == 0 || !digit(at - 1) || !digit(at + 1)) return false;
  std::size_t fields = 0;
  for (std::size_t from = 0; from < text.size(); ++fields) {
    const std::size_t to =
        std::min(text.find_first_of(*delimiter.text ? delimiter.text : kBlank, from), text.size());
    if (std::ranges::count(text.substr(from, to - from), ',') > 1) return false;
    from = std::min(*delimiter.text ? to + 1 : text.find_first_not_of(kBlank, to), text.size());
  }
  return fields >= 3;
}

/// How many bytes at the start of `text` are a character that cannot be seen; 0 for none. `code`: its number.
std::size_t invisible(std::string_view text, unsigned& code) noexcept {
  const auto byte = [&text](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
  };
  if (byte(0) == 0xC2 && (byte(1) == 0xA0 || byte(1) == 0xAD)) return code = byte(1), 2;
  if (byte(0) != 0xE2 && byte(0) != 0xE3 && byte(0) != 0xEF) return 0;
  code = (byte(0) & 15U) << 12U | (byte(1) & 63U) << 6U | (byte(2) & 63U);
  const bool blank = (code >= 0x2000 && code <= 0x200F) || (code >= 0x2028 && code <= 0x202F) ||
                     (code >= 0x205F && code <= 0x2064) || code == 0x3000 || code == 0xFEFF;
  return blank ? 3 : 0;
}

template <class Number>
std::optional<Number> whole(std::string_view field) noexcept {
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  Number number{};
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (code != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return number;
}

}  // namespace

bool has_invisible(std::string_view text) noexcept {
  unsigned code = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (static_cast<unsigned char>(text[at]) > 127 && invisible(text.substr(at), code)) return true;
  return false;
}

std::string shown(std::string_view given) {
  constexpr std::size_t kLongest = 60;
  std::string text;
  for (std::size_t at = 0; at < given.size() && text.size() <= kLongest; ++at) {
    unsigned code = 0;
    const std::size_t bytes = invisible(given.substr(at), code);
    if (bytes == 0) {
      text += given[at];
      continue;
    }
    std::array<char, 8> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
    std::string number(digits.data(), end);
    std::ranges::transform(number, number.begin(),
                           [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
    text += "<U+" + std::string(4 - number.size(), '0') + number + '>';
    at += bytes - 1;
  }
  std::size_t length = std::min(text.size(), kLongest);
  const auto continues = [&text](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (length > 0 && length < text.size() && continues(length)) --length;
  std::string result(1, '\'');
  result += text.substr(0, length);
  return result += length < text.size() ? "...'" : "'";
}

std::string field_text(const std::string& text, char delimiter, const std::string& where) {
  const auto control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  };
  if (std::any_of(text.begin(), text.end(), control))
    throw Error(ErrorKind::data, where, "cannot be written: " + shown(text) + " holds a control character",
                "rename it");
  const bool plain = text.size() == trimmed(text).size() && text.find_first_of({delimiter, '"'}) == text.npos;
  if (plain && !text.empty()) return text;
  std::string field(1, '"');
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field += '"';
}

std::optional<Index> integer_of(std::string_view field) noexcept { return whole<Index>(field); }
std::optional<double> number_of(std::string_view field) noexcept { return whole<double>(field); }

double finite_number(const TextInput& input, std::string_view field, const std::string& name,
                     const std::string& remedy) {
  const std::optional<double> number = number_of(field);
  if (number && std::isfinite(*number)) return *number;
  if (field.empty()) input.fail(name + " is empty; expected a number", remedy);
  const std::string what = name + " is " + shown(field) + ", ";
  if (number)
    input.fail(what + "which is not finite; expected a finite number", "remove the entry or fix its value");
  input.fail(what + "which is not a number that a double can hold; expected one such as -1.5 or 2e-3",
             remedy);
}

Range delimiter_range() {
  return one_of({"auto", "tab", "comma", "semicolon", "space", "double-colon", "pipe"});
}
Range header_range() { return one_of({"auto", "yes", "no"}); }

FieldSplitter::FieldSplitter(const TextInput& input, std::string_view word) : input_(input), word_(word) {
  for (const Delimiter& delimiter : kDelimiters)
    if (delimiter.word == word) text_ = delimiter.text;
}

std::string FieldSplitter::guess(std::string_view line) {
  const std::string unquoted = outside_quotes(trimmed(line));
  for (const Delimiter& delimiter : kDelimiters) {
    if (unquoted.find(*delimiter.text ? delimiter.text : " ") == unquoted.npos) continue;
    if (std::string_view(delimiter.word) == "comma")
      for (const Delimiter& other : {kDelimiters[4], kDelimiters[5]})
        if (has_decimal_commas(unquoted, other)) return other.word;
    return delimiter.word;
  }
  return {};
}

const std::vector<std::string_view>& FieldSplitter::split(std::string_view line) {
  if (!try_split(line))
    input_.fail("a quoted field is not closed: " + shown(line.substr(line.rfind('"'))), "close it with \"");
  return fields_;
}

bool FieldSplitter::is_open(std::string_view line) {
  return line.find('"') != std::string_view::npos && !try_split(line);
}

/// False if a quoted field is not closed.
bool FieldSplitter::try_split(std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  open_ = false;
  if (text_.empty()) line = trimmed(line);
  for (std::size_t at = 0; at != std::string_view::npos;) {
    at = take(line, at);
    if (open_) return false;
    if (fields_.size() > kMostFields)
      input_.fail("the line has more than " + std::to_string(kMostFields) + " fields",
                  "write so wide a table as a sparse text (LIBSVM, Matrix Market) or as .npy, .npz or HDF5");
  }
  return true;
}

std::size_t FieldSplitter::find_delimiter(std::string_view line, std::size_t at) const {
  if (text_.empty()) return line.find_first_of(kBlank, at);
  return text_.size() == 1 ? line.find(text_[0], at) : line.find(text_, at);
}

std::size_t FieldSplitter::after_delimiter(std::string_view line, std::size_t at) const {
  if (at == std::string_view::npos) return at;
  return text_.empty() ? line.find_first_not_of(kBlank, at) : at + text_.size();
}

/// Takes the field that starts at `at` and returns where the next one starts, npos at the end of the line.
std::size_t FieldSplitter::take(std::string_view line, std::size_t at) {
  const std::size_t end = find_delimiter(line, at);
  const std::string_view field = trimmed(line.substr(at, end == std::string_view::npos ? end : end - at));
  if (field.starts_with('"')) return take_quoted(line, static_cast<std::size_t>(field.data() - line.data()));
  fields_.push_back(field);
  return after_delimiter(line, end);
}

std::size_t FieldSplitter::take_quoted(std::string_view line, std::size_t at) {
  std::string& content = unquoted_.emplace_back();
  while (true) {
    const std::size_t quote = line.find('"', at + 1);
    if (quote == std::string_view::npos) {
      open_ = true;
      return quote;
    }
    content.append(line, at + 1, quote - at - 1);
    at = quote + 1;
    if (at >= line.size() || line[at] != '"') break;
    content += '"';
  }
  fields_.push_back(content);
  const std::size_t end = find_delimiter(line, at);
  const std::string_view rest = line.substr(at, end == std::string_view::npos ? end : end - at);
  if (!trimmed(rest).empty())
    input_.fail("text follows a quoted field: " + shown(rest), "write a quote within a quoted field twice");
  return after_delimiter(line, end);
}

FieldReader::FieldReader(TextInput& input, std::string_view delimiter, std::string_view header,
                         std::size_t least, const HeaderRule& rule)
    : input_(input), least_(least) {
  std::string_view line;
  if (!input_.next_filled(line))
    throw Error(ErrorKind::data, input_.path().string(), "the file holds no data, only blank lines",
                "expected lines of numbers");
  std::string word(delimiter);
  if (word == "auto") word = FieldSplitter::guess(line);
  splitter_.emplace(input_, word.empty() ? "comma" : word);
  if (splitter_->is_open(line)) {
    complete(line);
    if (delimiter == "auto") word = FieldSplitter::guess(line);  // which is outside of all quotes
    splitter_.emplace(input_, word.empty() ? "comma" : word);
  }
  const Index blanks = record_.empty() ? input_.line() - 1 : 0;
  width_ = splitter_->split(line).size();
  split(line);
  const auto is_header = [&] { return rule.is_header ? rule.is_header(*fields_) : has_names(); };
  if (header == "yes" || (header == "auto" && is_header())) {
    names_.assign(fields_->begin(), fields_->end());
    header_line_ = input_.line();
    if (header == "auto") taken_for_header_ = input_.where(header_line_) + ": " + shown(line);
    if (header == "auto" && rule.is_alike) expect_unlike(rule);
  } else {
    first_line_ = input_.line();
    unread();
    if (width_ == 1 && blanks > 0) blanks_ = blanks + 1;  // record() counts down first
  }
}

bool FieldReader::has_names() const {
  bool open = false;  // a name may be "25%" or a date
  for (const std::string_view field : *fields_) {
    if (number_of(field)) return false;
    if (!design_formats::looks_like_number(field)) continue;
    if (!design_formats::may_name_column(field)) return false;
    open = true;
  }
  if (!open) return true;
  TextInput input(input_.path());
  FieldReader rest(input, splitter_->word(), "yes", least_);
  if (!rest.next()) return false;
  for (std::size_t j = 0; j < width_; ++j)
    if (design_formats::may_name_column((*fields_)[j]) && design_formats::may_name_column(rest.fields()[j]))
      return false;
  return true;
}

/// The next record, which is `record_` if it has several lines.
bool FieldReader::record(std::string_view& line) {
  if (std::exchange(again_, false)) {
    line = record_;
    return true;
  }
  record_.clear();
  if (blanks_ > 0 && --blanks_ > 0) {
    line = {};
    return true;
  }
  const bool tabs = splitter_->word() == "tab";
  for (Index blanks = 0; input_.next(line); ++blanks) {
    if (trimmed(line).empty() && !(tabs && line.find('\t') != line.npos)) continue;
    if (width_ == 1 && blanks > 0) {
      blanks_ = blanks;
      input_.unread();
      line = {};
    } else if (splitter_->is_open(line)) {
      complete(line);
    }
    return true;
  }
  return false;
}

void FieldReader::complete(std::string_view& line) {
  constexpr std::size_t kLongest = std::size_t{1} << 20U;
  const std::string place = where();
  record_ = line;
  std::string_view more;
  do {
    if (!input_.next(more) || record_.size() > kLongest)
      throw Error(ErrorKind::data, place,
                  "a quoted field is not closed " +
                      std::string(record_.size() > kLongest ? "within 1 MiB" : "up to the end of the file") +
                      ": " + shown(std::string_view(record_).substr(record_.find('"'))),
                  "close it with \"");
    record_ += ' ';
    record_ += more;
  } while (more.find('"') == std::string_view::npos || splitter_->is_open(record_));
  line = record_;
}

void FieldReader::unread() {
  again_ = !record_.empty();
  if (!again_) input_.unread();
}

/// Checks the header against the next line, which comes again.
void FieldReader::expect_unlike(const HeaderRule& rule) {
  std::string_view line;
  if (!record(line)) return;
  const auto& next = splitter_->split(line);
  if (next.size() == width_ && rule.is_alike(names_, next))
    throw Error(ErrorKind::data, header_place(),
                "the line has no number, as a header, and an id like that of the next line, as data",
                "correct its value, or set header = yes if it is a header");
  unread();
}

void FieldReader::note_header(const Context& context) const {
  if (!taken_for_header_.empty())
    context.note(taken_for_header_ +
                 " is taken for a header, for it holds no number; header = no reads it as data");
}

bool FieldReader::next() {
  std::string_view line;
  if (!record(line)) return false;
  split(line);
  return true;
}

bool FieldReader::skip() {
  std::string_view line;
  return record(line);
}

void FieldReader::split(std::string_view line) {
  fields_ = &splitter_->split(line);
  if (fields_->size() != width_ || width_ < least_) fail_count(line);
}

void FieldReader::fail_count(std::string_view line) const {
  const std::size_t found = fields_->size(), needed = std::max(width_, least_);
  const std::string expected = width_ < least_ ? "at least " + std::to_string(least_)
                                               : std::to_string(width_) + " as on the first line";
  const std::string hint = delimiter_hint(line, needed);
  input_.fail("the line has " + std::to_string(found) + (found == 1 ? " field" : " fields") +
                  " when split at " + splitter_->word() + ", expected " + expected + ": " + shown(line),
              !hint.empty()     ? hint
              : width_ < least_ ? "give every line at least " + std::to_string(least_) + " fields"
                                : "give every line the same fields");
}

/// Which other delimiter would give at least `needed` fields; empty when none would.
std::string FieldReader::delimiter_hint(std::string_view line, std::size_t needed) const {
  std::string unquoted(line);
  std::erase(unquoted, '"');
  for (const Delimiter& other : kDelimiters) {
    const std::size_t fields = FieldSplitter(input_, other.word).split(unquoted).size();
    if (fields >= needed && other.word != splitter_->word())
      return std::string("split at ") + other.word + " it has " + std::to_string(fields) +
             " fields: set delimiter = " + other.word;
  }
  return {};
}

double FieldReader::number(std::size_t i, const std::string& name) const {
  const std::string_view field = fields()[i];
  const std::optional<double> number = number_of(field);
  if (number && std::isfinite(*number)) return *number;
  if (blanks_ > 0) fail(name + " is empty; expected a number", "write one, or remove the blank line");
  std::string hint = width_ == 1 ? delimiter_hint(field, 2) : std::string();
  if (hint.empty()) hint = header_hint();
  return finite_number(input_, field, name,
                       hint.empty() ? "correct the value, or leave its column out of the file" : hint);
}

void FieldReader::fail(std::string what, std::string remedy) const {
  const std::string hint = header_hint();
  throw Error(ErrorKind::data, where(), std::move(what), hint.empty() ? std::move(remedy) : hint);
}

std::string FieldReader::header_hint() const {
  return line() == first_line_ ? "if this line is a header, set header = yes" : std::string();
}

}  // namespace claros
