// SPDX-License-Identifier: BSD-3-Clause
/// @file plain_line.hpp  Lines of row, column and value as they nearly always stand, read fast.
#pragma once

#include "io/scan_number.hpp"

#include <claros/api.hpp>

#include <cstdint>
#include <string_view>

namespace claros {

/// Two ids of plain digits, a value, and perhaps a fourth number. A line that is written in another way
/// (quotes, signs, blanks beside another delimiter) is left to a reader of fields.
class PlainLine {
 public:
  /// `delimiter`: its word (fields.hpp); lines have `fields`, of which `numbers` are read, 3 or 4.
  PlainLine(std::string_view delimiter, std::size_t fields, std::size_t numbers)
      : blanks_(delimiter == "space"),
        twice_(delimiter == "double-colon"),
        sign_(delimiter == "tab"         ? '\t'
              : delimiter == "comma"     ? ','
              : delimiter == "semicolon" ? ';'
              : delimiter == "pipe"      ? '|'
                                         : ':'),
        fields_(fields),
        numbers_(numbers) {}

  Index row = 0, col = 0;
  double value = 0.0, fourth = 0.0;
  bool point = false, fourth_point = false;  ///< whether one so far had a point

  /// False if the line has to be read with more care.
  bool scan(std::string_view line) {
    const char *at = line.data(), *const end = at + line.size();
    at = index(at, end, row);
    at = at ? index(next(at, end), end, col) : nullptr;
    at = at ? number(next(at, end), end, value, point) : nullptr;
    if (at && numbers_ == 4) at = number(next(at, end), end, fourth, fourth_point);
    return at && ends(at, end);
  }

 private:
  bool is_delimiter(const char* at, const char* end) const {
    if (blanks_) return is_blank(*at);
    return *at == sign_ && (!twice_ || (at + 1 != end && at[1] == sign_));
  }
  /// The field behind the delimiter at `at`, or null.
  const char* next(const char* at, const char* end) const {
    if (at == end || !is_delimiter(at, end)) return nullptr;
    return blanks_ ? skip_blanks(at, end) : at + (twice_ ? 2 : 1);
  }
  static const char* index(const char* at, const char* end, Index& number) {
    constexpr int kDigits = 18;
    std::uint64_t digits = 0;
    if (!at) return nullptr;
    const char* stop = scan_digits(at, end, kDigits, digits);
    if (!stop || (*at == '0' && stop - at > 1)) return nullptr;
    number = static_cast<Index>(digits);
    return stop;
  }
  const char* number(const char* at, const char* end, double& found, bool& point_found) const {
    if (!at) return nullptr;
    const char* stop = at;
    for (; stop != end && !is_delimiter(stop, end); ++stop) point_found |= *stop == '.';
    return scan_whole({at, static_cast<std::size_t>(stop - at)}, found) ? stop : nullptr;
  }
  /// True if the fields that are not read are as many as they should be, and not in quotes.
  bool ends(const char* at, const char* end) const {
    std::size_t found = numbers_;
    for (; at != end && found < fields_; ++found) {
      at = next(at, end);
      if (!at || (blanks_ && at == end)) return false;
      while (at != end && !is_delimiter(at, end))
        if (*at++ == '"') return false;
    }
    return at == end && found == fields_;
  }

  bool blanks_, twice_;
  char sign_;
  std::size_t fields_, numbers_;
};

}  // namespace claros
