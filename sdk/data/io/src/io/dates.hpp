// SPDX-License-Identifier: BSD-3-Clause
/// @file dates.hpp  Dates in text as numbers.
#pragma once

#include <claros/io/design_io.hpp>

#include <optional>
#include <string_view>

namespace claros {

/// Days since 1970-01-01 of a date, whose year has four digits: 2024-03-01, 2024/03/01 or 31.12.2024. For
/// 12/31/2024 and 12-31-2024, `rule` says which of day and month is first; `days` reads neither. A time of
/// day may follow after a T or a blank ("2024-03-01T12:30", "2024-03-01 12:30:59.5"), and after it a Z or an
/// offset ("+01:00"). Nothing for other text, and for days that no calendar has.
std::optional<double> days_of(std::string_view text, Dates rule);

/// Says what is needed to read a date: no more (`days`), the order of day and month (`day_first`), or a year
/// of four digits (`refuse`). Nothing if it is no date.
std::optional<Dates> date_needs(std::string_view text);

}  // namespace claros
