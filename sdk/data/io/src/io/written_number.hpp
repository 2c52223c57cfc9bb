// SPDX-License-Identifier: BSD-3-Clause
/// @file written_number.hpp  Numbers as people and spreadsheets write them in tables.
#pragma once

#include <claros/io/design_io.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace claros::design_formats {

/// How the fields of a table become numbers. If `decimal` is chosen, the other of comma and point separates
/// thousands; `automatic` tries the point first and reads no thousands.
struct NumberRule {
  Decimal decimal = Decimal::point;
  bool chosen = false;
};
/// `automatic` takes no comma where commas separate the fields.
NumberRule number_rule(Decimal decimal, std::string_view delimiter);

/// A number, and the signs around it.
struct WrittenNumber {
  double value = 0.0;
  std::string unit;      ///< "$", "%", "EUR"; empty if it has none
  bool grouped = false;  ///< true if thousands are separated
};

/// The whole field as a finite number. One currency or percent sign before or behind it is left out, so that
/// 10% is 10. Blanks and apostrophes may separate thousands. Nothing if it is no number by the rule.
std::optional<WrittenNumber> written_number(std::string_view field, const NumberRule& rule);
/// The value of written_number.
std::optional<double> number_of(std::string_view field, const NumberRule& rule);
/// The decimals by which a field is a number that `rule` does not take ("1.234,5"); nothing if it is none.
std::optional<Decimal> other_decimal(std::string_view field, const NumberRule& rule);

/// True if a field is a number or a date in another form than numbers of plain tables (or a plain one).
bool looks_like_number(std::string_view field);
/// True if such a field may be the name of a column too: a date, or a number with a unit ("25%").
bool may_name_column(std::string_view field);

/// The points and commas in the numbers of a column, which `automatic` has to tell from those of thousands.
struct Signs {
  bool point = false, comma = false;
  bool groups = true;    ///< true if each may separate thousands
  bool settled = false;  ///< true if commas stood before its decimals in the training
  std::string first;     ///< the first number with one

  void add(std::string_view field);
};
/// Says what is open in a column of that name, given all columns. The text is empty if nothing is.
std::string open_signs(const std::string& name, const Signs& column, std::span<const Signs> all);
inline constexpr const char* kDecimalRemedy =
    "say which stands before the decimals: decimal = point or decimal = comma";

}  // namespace claros::design_formats
