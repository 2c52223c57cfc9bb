// SPDX-License-Identifier: BSD-3-Clause
#include "io/dates.hpp"

#include <chrono>
#include <cstdlib>

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

}  // namespace

std::optional<double> days_of(std::string_view text) {
  constexpr double kDay = 86400.0;
  Cursor cursor(text);
  const int year = cursor.digits(4, 9999);
  if (year < 0 || !cursor.take('-')) return std::nullopt;
  const int month = cursor.digits(2, 12);
  if (month < 0 || !cursor.take('-')) return std::nullopt;
  const int day = cursor.digits(2, 31);
  if (day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (cursor.done()) return days;
  if (!cursor.take('T') && !cursor.take(' ')) return std::nullopt;
  const auto seconds = seconds_of(cursor);
  const auto ahead = seconds ? ahead_of(cursor) : std::nullopt;
  if (!ahead || !cursor.done()) return std::nullopt;
  return days + (*seconds - *ahead) / kDay;
}

}  // namespace claros
