// SPDX-License-Identifier: BSD-3-Clause
#include "io/dates.hpp"

#include <chrono>

namespace claros {

namespace {

/// Reads text from the left.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : left_(text) {}
  bool done() const { return left_.empty(); }
  bool take(char c) {
    if (left_.empty() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  /// So many digits as a number of at most `most`; -1 if there are others.
  int digits(std::size_t count, int most) {
    if (left_.size() < count) return -1;
    int number = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (left_[k] < '0' || left_[k] > '9') return -1;
      number = 10 * number + (left_[k] - '0');
    }
    left_.remove_prefix(count);
    return number <= most ? number : -1;
  }
  /// Digits behind a point; 0 without any, -1 if there is the point alone.
  double fraction() {
    if (!take('.')) return 0.0;
    double value = 0.0, place = 1.0;
    while (!left_.empty() && left_.front() >= '0' && left_.front() <= '9') {
      value += (place /= 10.0) * (left_.front() - '0');
      left_.remove_prefix(1);
    }
    return place < 1.0 ? value : -1.0;
  }

 private:
  std::string_view left_;
};

/// Seconds of "12:30", "12:30:59.5".
std::optional<double> seconds_of(Cursor& text) {
  const int hours = text.digits(2, 23);
  if (hours < 0 || !text.take(':')) return std::nullopt;
  const int minutes = text.digits(2, 59);
  if (minutes < 0) return std::nullopt;
  double seconds = 0.0;
  if (text.take(':')) {
    const int whole = text.digits(2, 60);
    const double fraction = text.fraction();
    if (whole < 0 || fraction < 0.0) return std::nullopt;
    seconds = whole + fraction;
  }
  return 3600.0 * hours + 60.0 * minutes + seconds;
}

/// Seconds that a clock with "", "Z" or "+01:00" behind its time is ahead.
std::optional<double> ahead_of(Cursor& text) {
  if (text.done() || text.take('Z')) return 0.0;
  const bool west = text.take('-');
  if (!west && !text.take('+')) return std::nullopt;
  const int hours = text.digits(2, 23);
  (void)text.take(':');
  const int minutes = text.digits(2, 59);
  if (hours < 0 || minutes < 0) return std::nullopt;
  return (west ? -1.0 : 1.0) * (3600.0 * hours + 60.0 * minutes);
}

/// One or two digits as a number of at most `most`; -1 if there are others.
int day_or_month(Cursor& text, int most) {
  const int two = text.digits(2, 99);
  const int number = two >= 0 ? two : text.digits(1, 9);
  return number <= most ? number : -1;
}

struct Parts {
  int year = -1, first = -1, second = -1;
  char separator = '-';
  bool year_first = false;
};

/// Takes a date, the years of `digits` digits if they come last.
std::optional<Parts> parts_of(Cursor& text, std::size_t digits) {
  Parts parts;
  const auto take_separator = [&] {
    for (const char c : {'-', '/', '.'})
      if (text.take(c)) return c;
    return ' ';
  };
  parts.year = text.digits(4, 9999);
  parts.year_first = parts.year >= 0;
  if (parts.year_first) {
    parts.separator = take_separator();
    if (parts.separator == '.') return std::nullopt;
    parts.first = text.digits(2, 12);
    if (!text.take(parts.separator)) return std::nullopt;
    parts.second = text.digits(2, 31);
  } else {
    parts.first = day_or_month(text, 31);
    parts.separator = take_separator();
    parts.second = day_or_month(text, 31);
    if (!text.take(parts.separator)) return std::nullopt;
    parts.year = text.digits(digits, 9999);
  }
  return parts.year < 0 || parts.first < 0 || parts.second < 0 ? std::nullopt : std::optional(parts);
}

/// The day of the parts, `month_first` or not.
std::optional<double> day_of(const Parts& parts, bool month_first) {
  const std::chrono::year_month_day date{
      std::chrono::year(parts.year),
      std::chrono::month(static_cast<unsigned>(month_first ? parts.first : parts.second)),
      std::chrono::day(static_cast<unsigned>(month_first ? parts.second : parts.first))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// The fraction of a day that follows a date.
std::optional<double> time_of(Cursor& text) {
  constexpr double kDay = 86400.0;
  if (text.done()) return 0.0;
  if (!text.take('T') && !text.take(' ')) return std::nullopt;
  const auto seconds = seconds_of(text);
  const auto ahead = seconds ? ahead_of(text) : std::nullopt;
  return ahead && text.done() ? std::optional((*seconds - *ahead) / kDay) : std::nullopt;
}

}  // namespace

std::optional<double> days_of(std::string_view text, Dates rule) {
  Cursor cursor(text);
  const auto parts = parts_of(cursor, 4);
  if (!parts) return std::nullopt;
  const bool settled = parts->year_first || parts->separator == '.';
  if (!settled && rule != Dates::day_first && rule != Dates::month_first) return std::nullopt;
  const auto day = day_of(*parts, parts->year_first || (!settled && rule == Dates::month_first));
  const auto time = time_of(cursor);
  return day && time ? std::optional(*day + *time) : std::nullopt;
}

std::optional<Dates> date_needs(std::string_view text) {
  if (days_of(text, Dates::days)) return Dates::days;
  if (days_of(text, Dates::day_first) || days_of(text, Dates::month_first)) return Dates::day_first;
  Cursor cursor(text);
  const auto parts = parts_of(cursor, 2);
  const bool is_short = parts && !parts->year_first && (day_of(*parts, false) || day_of(*parts, true));
  return is_short && time_of(cursor) ? std::optional(Dates::refuse) : std::nullopt;
}

}  // namespace claros
