// SPDX-License-Identifier: BSD-3-Clause
#include "io/written_number.hpp"

#include <claros/io/fields.hpp>
#include "io/dates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claros::design_formats {

namespace {

constexpr std::array<std::string_view, 12> kUnits{"%",      "$",   "\u20AC", "\u00A3", "\u00A5", "\u20B9",
                                                  "\u2030", "EUR", "USD",    "GBP",    "CHF",    "JPY"};
/// These separate thousands, as points and commas do: blanks, some of which do not break, and apostrophes.
constexpr std::array<std::string_view, 6> kThousands{" ", "\u00A0", "\u202F", "\u2009", "'", "\u2019"};

constexpr NumberRule kOpen{Decimal::automatic, false};
constexpr std::string_view kMinus = "\u2212";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes `piece` off the front or the back, with the blanks beside it.
bool take(std::string_view& text, std::string_view piece, bool front) {
  if (!(front ? text.starts_with(piece) : text.ends_with(piece))) return false;
  front ? text.remove_prefix(piece.size()) : text.remove_suffix(piece.size());
  for (const std::string_view blank : {kThousands[0], kThousands[1], kThousands[2]})
    while (front ? text.starts_with(blank) : text.ends_with(blank))
      front ? text.remove_prefix(blank.size()) : text.remove_suffix(blank.size());
  return true;
}

/// The unit, which is taken off `text`; a sign may stand before it.
std::string take_unit(std::string_view& text, std::string& sign) {
  const auto take_sign = [&] {
    if (sign.empty() && (text.starts_with('-') || text.starts_with('+'))) {
      sign = text.front();
      text.remove_prefix(1);
    } else if (sign.empty() && text.starts_with(kMinus)) {
      sign = "-";
      text.remove_prefix(kMinus.size());
    }
  };
  take_sign();
  for (const std::string_view unit : kUnits)
    if (take(text, unit, true) || take(text, unit, false)) {
      take_sign();
      return std::string(unit);
    }
  return {};
}

/// `text` without `separator`, if one to three digits are before the first and three behind each. Nothing if
/// it has none or others.
std::optional<std::string> without_groups(std::string_view text, std::string_view separator, char decimal) {
  const std::size_t end = std::min(text.find(decimal), text.size());
  std::size_t at = text.find(separator);
  if (at == text.npos || text.front() == '0' || at > end || at < 1 || at > 3 ||
      !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), is_digit))
    return std::nullopt;
  std::string plain(text.substr(0, at));
  while (at < end) {
    if (text.substr(at, separator.size()) != separator) return std::nullopt;
    const std::string_view group = text.substr(at + separator.size(), 3);
    if (group.size() < 3 || !std::ranges::all_of(group, is_digit)) return std::nullopt;
    plain += group;
    at += separator.size() + 3;
  }
  return at == end ? std::optional(plain + std::string(text.substr(end))) : std::nullopt;
}

/// A number without a unit, `decimal` before its decimals.
std::optional<double> plain_number(std::string text, char decimal) {
  if (decimal == ',') {
    if (text.find('.') != text.npos) return std::nullopt;
    if (const auto at = text.find(','); at != text.npos) text[at] = '.';
  }
  const auto number = claros::number_of(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<double> value_of(std::string_view text, char decimal, bool other_groups, bool& grouped) {
  if (const auto number = plain_number(std::string(text), decimal)) return number;
  const std::string_view other = decimal == '.' ? "," : ".";
  const auto plain = [&](std::string_view separator) {
    const auto joined = without_groups(text, separator, decimal);
    const auto number = joined ? plain_number(*joined, decimal) : std::nullopt;
    grouped = grouped || number;
    return number;
  };
  if (other_groups)
    if (const auto number = plain(other)) return number;
  for (const std::string_view separator : kThousands)
    if (const auto number = plain(separator)) return number;
  return std::nullopt;
}

std::optional<WrittenNumber> number_by(std::string_view field, char decimal, bool other_groups) {
  WrittenNumber number;
  std::string sign;
  number.unit = take_unit(field, sign);
  if (field.empty() || !(is_digit(field.front()) || field.front() == decimal)) return std::nullopt;
  const auto value = value_of(field, decimal, other_groups, number.grouped);
  if (!value) return std::nullopt;
  number.value = sign == "-" ? -*value : *value;
  return number;
}

}  // namespace

NumberRule number_rule(Decimal decimal, std::string_view delimiter) {
  const bool chosen = decimal != Decimal::automatic;
  return {!chosen && delimiter == "comma" ? Decimal::point : decimal, chosen};
}

std::optional<WrittenNumber> written_number(std::string_view field, const NumberRule& rule) {
  if (rule.decimal != Decimal::comma)
    if (auto number = number_by(field, '.', rule.chosen)) return number;
  return rule.decimal == Decimal::point ? std::nullopt : number_by(field, ',', rule.chosen);
}

std::optional<double> number_of(std::string_view field, const NumberRule& rule) {
  if (rule.decimal != Decimal::comma)
    if (const auto number = claros::number_of(field); number && std::isfinite(*number)) return number;
  const auto number = written_number(field, rule);
  return number ? std::optional(number->value) : std::nullopt;
}

std::optional<Decimal> other_decimal(std::string_view field, const NumberRule& rule) {
  if (number_of(field, rule)) return std::nullopt;
  const bool point = number_by(field, '.', true).has_value(), comma = number_by(field, ',', true).has_value();
  if (point && comma) return Decimal::automatic;
  return point ? std::optional(Decimal::point) : comma ? std::optional(Decimal::comma) : std::nullopt;
}

bool looks_like_number(std::string_view field) {
  return number_of(field, kOpen) || other_decimal(field, kOpen) || date_needs(field);
}

bool may_name_column(std::string_view field) {
  const auto number = written_number(field, kOpen);
  return number ? !number->unit.empty() : !other_decimal(field, kOpen) && date_needs(field);
}

void Signs::add(std::string_view field) {
  const bool has_point = field.find('.') != field.npos, has_comma = field.find(',') != field.npos;
  if (!has_point && !has_comma) return;
  if (first.empty()) first = shown(field);
  point = point || has_point;
  comma = comma || has_comma;
  if (!groups) return;
  const auto number = written_number(field, {has_point ? Decimal::comma : Decimal::point, true});
  groups = number && number->grouped;
}

std::string open_signs(const std::string& name, const Signs& column, std::span<const Signs> all) {
  if (column.point && column.comma) return "the numbers of " + name + " have points and commas";
  const bool points = std::ranges::any_of(all, &Signs::point),
             commas = std::ranges::any_of(all, [](const Signs&s) { return s.comma || s.settled; }),
             settled =
                 std::ranges::any_of(all, [](const Signs&s) { return s.settled || (s.comma && !s.groups); });
  const auto open = [&](const std::string& signs, const std::string& why) {
    return "the " + signs + " of " + name + ", such as " + column.first + ", may separate thousands, since " +
           why;
  };
  if (column.groups && column.point && commas)
    return open("points", "other columns have commas before their decimals");
  if (column.groups && column.comma && !column.settled && (points || !settled))
    return open("commas", points ? "other columns have points before their decimals"
                                 : "three digits are behind each, and no column shows decimals");
  return {};
}

}  // namespace claros::design_formats
