// SPDX-License-Identifier: BSD-3-Clause
/// @file dates.hpp  Dates in text as numbers.
#pragma once

#include <optional>
#include <string_view>

namespace claros {

/// Days since 1970-01-01 of a date by ISO 8601: "2024-03-01". A time of day may follow after a T or a blank
/// ("2024-03-01T12:30", "2024-03-01 12:30:59.5"), and after it a Z or an offset ("+01:00"). Nothing for other
/// text, and for days that no calendar has.
std::optional<double> days_of(std::string_view text);

}  // namespace claros
