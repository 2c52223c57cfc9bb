// SPDX-License-Identifier: BSD-3-Clause
#include "io/table_notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace claros::design_formats {
namespace {

/// True if the fields are whole numbers, each one more than the one before: four or more, or three years.
bool counts_up(const std::vector<std::string_view>& fields) {
  constexpr Index kYear = 1000;
  const auto first = integer_of(fields.front());
  for (std::size_t j = 0; j < fields.size(); ++j)
    if (!first || integer_of(fields[j]) != *first + static_cast<Index>(j)) return false;
  return fields.size() > 3 || (fields.size() == 3 && *first >= kYear);
}

bool is_id_name(std::string name) {
  static constexpr std::array<std::string_view, 7> kNames{"id", "index", "row", "rowid", "key", "nr", "no"};
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name.ends_with("_id") || name.ends_with(" id") || name.ends_with(".id") ||
         std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

void DoubtfulHeader::see(const Context& context) {
  const bool counts = counts_up(reader_.fields());
  if (where_.empty()) {
    where_ = reader_.where();
    is_open_ = is_open_ && counts;
    return;
  }
  if (!counts) context.note(where_ + " is read as data; if its numbers name the columns, set header = yes");
  is_open_ = false;
}

void note_ids(Index rows, const std::vector<std::string>& names, std::size_t width,
              const std::function<void(Index, std::span<double>)>& read_row,
              const std::function<std::string(std::size_t)>& text, const Context& context) {
  constexpr Index kFew = 5;
  if (rows < kFew) return;
  std::vector<double> row(width), first(row);
  read_row(0, first);
  std::vector<std::size_t> open;
  for (std::size_t j = 0; j < row.size(); ++j)
    if (first[j] == std::floor(first[j])) open.push_back(j);
  std::vector<std::unordered_set<double>> seen(row.size());
  const auto named = [&](std::size_t j) { return !names.empty() && is_id_name(names[j]); };
  for (Index i = 0; i < rows && !open.empty(); ++i) {
    read_row(i, row);
    std::erase_if(open, [&](std::size_t j) {
      const bool counts = first[j] <= 1.0 && first[j] >= 0.0 && row[j] == first[j] + static_cast<double>(i);
      return !counts && !(named(j) && row[j] == std::floor(row[j]) && seen[j].insert(row[j]).second);
    });
  }
  for (const std::size_t j : open)
    context.note(
        text(j) +
        " holds whole numbers, each another one, as ids and numbers of rows are; if it is no feature, "
        "objective.without leaves it out");
}

}  // namespace claros::design_formats
