// SPDX-License-Identifier: BSD-3-Clause
/// @file scan_number.hpp  Numbers as they nearly always stand in sparse text, for readers that meet a hundred
/// million of them.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace claros {

inline bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
inline bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

inline const char* skip_blanks(const char* at, const char* end) noexcept {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

/// Reads the digits from `at` on as a whole number, and returns the place behind them. Null if there are more
/// than `most` digits, or none.
inline const char* scan_digits(const char* at, const char* end, int most, std::uint64_t& number) noexcept {
  const char* const from = at;
  for (number = 0; at != end && is_digit(*at); ++at)
    number = 10 * number + static_cast<std::uint64_t>(*at - '0');
  return at == from || at - from > most ? nullptr : at;
}

/// A finite number from `at` on that a blank or the end follows: what follows it, or null if there is
/// none.
inline const char* scan_real(const char* at, const char* end, double& number) noexcept {
  constexpr int kExact = 15;  // digits that a double holds
  std::uint64_t whole = 0;
  const char* stop = scan_digits(at, end, kExact, whole);
  if (stop && (stop == end || is_blank(*stop))) {
    number = static_cast<double>(whole);
    return stop;
  }
  const auto [behind, code] = std::from_chars(at, end, number);
  return code == std::errc{} && std::isfinite(number) && (behind == end || is_blank(*behind)) ? behind
                                                                                              : nullptr;
}

/// The whole field so; false if it has to be read with more care.
inline bool scan_whole(std::string_view field, double& number) noexcept {
  return !field.empty() &&
         scan_real(field.data(), field.data() + field.size(), number) == field.data() + field.size();
}

}  // namespace claros
