// SPDX-License-Identifier: BSD-3-Clause
#include "io/table_roles.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace claros::design_formats {

namespace {

constexpr std::array<std::string_view, 12> kMissing{"",     "NA",   "N/A",  "NaN", "nan", "na",
                                                    "null", "NULL", "None", "?",   ".",   kDash};

using Role = TableRoles::Role;

[[noreturn]] void fail_column(const std::string& key, const std::string& word, const FieldReader& reader,
                              bool file_allowed) {
  const auto& names = reader.names();
  const auto width = std::to_string(reader.width());
  if (integer_of(word))
    throw Error(ErrorKind::usage, key, "column " + word + " of a table with " + width + " columns",
                "give a number from 1 to " + width);
  const std::string hint = did_you_mean(word, names);
  throw Error(
      ErrorKind::usage, key,
      "'" + word + "' is not a column of the table" + (file_allowed ? ", and no such file exists" : ""),
      !hint.empty()   ? hint
      : names.empty() ? "the table has no header: give the number of a column, counted from 1"
                      : "its columns are " + names.front() + " to " + names.back());
}

}  // namespace

std::optional<std::size_t> column_of(const std::string& word, const FieldReader& reader) {
  const auto& names = reader.names();
  const auto named = std::find(names.begin(), names.end(), word);
  if (named != names.end() && std::find(named + 1, names.end(), word) != names.end())
    throw Error(ErrorKind::usage, "",
                "'" + word + "' is the name of several columns of the table, the first being column " +
                    std::to_string(named - names.begin() + 1),
                "give the number of the column, counted from 1");
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  const auto number = integer_of(word);
  if (number && *number >= 1 && *number <= static_cast<Index>(reader.width()))
    return static_cast<std::size_t>(*number - 1);
  return std::nullopt;
}

std::size_t column_named(const std::string& key, const std::string& word, const FieldReader& reader) {
  const auto column = column_of(word, reader);
  if (!column) fail_column(key, word, reader, false);
  return *column;
}

std::vector<std::size_t> columns_of(const std::string& key, const std::string& list,
                                    const FieldReader& reader) {
  std::vector<std::size_t> found;
  for (std::size_t from = 0; from <= list.size() && !list.empty();) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    std::string word = list.substr(from, to - from);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    found.push_back(column_named(key, word, reader));
    from = to + 1;
  }
  return found;
}

bool is_missing(std::string_view field) noexcept {
  return std::find(kMissing.begin(), kMissing.end(), field) != kMissing.end();
}

std::optional<double> number_of(std::string_view field, Decimal decimal) {
  if (decimal != Decimal::comma)
    if (const auto number = claros::number_of(field); number || decimal == Decimal::point) return number;
  std::string text(field);
  if (text.find('.') != text.npos) return std::nullopt;
  if (const auto at = text.find(','); at != text.npos) text[at] = '.';
  return claros::number_of(text);
}

std::string column_name(const FieldReader& reader, std::size_t j) {
  const std::string number = "column " + std::to_string(j + 1);
  return reader.names().empty() ? number : number + " (" + reader.names()[j] + ")";
}

TableRoles::TableRoles(const DesignOptions& options, const FieldReader& reader, const Context& context)
    : of(reader.fields().size(), Role::feature) {
  const std::size_t width = of.size();
  if (!options.columns.empty() && !options.without.empty())
    throw Error(ErrorKind::usage, "columns", "is given, and so is without", "give one of them");
  if (!options.columns.empty()) {
    std::fill(of.begin(), of.end(), Role::ignored);
    for (const std::size_t j : columns_of("columns", options.columns, reader)) of[j] = Role::feature;
    chosen = true;
  }
  for (const std::size_t j : columns_of("without", options.without, reader)) {
    of[j] = Role::ignored;
    chosen = true;
  }
  for (const auto& [key, word, role] : {std::tuple{"weights", &options.weights, Role::weight},
                                        {"offset", &options.offset, Role::offset},
                                        {"groups", &options.groups, Role::group}}) {
    if (word->empty()) continue;
    if (const auto column = column_of(*word, reader))
      take(*column, role, key, reader);
    else if (!is_file(*word, context))
      fail_column(key, *word, reader, true);
  }
  if (static_cast<Index>(width) == options.bare_columns) return;
  const std::string& word = options.response;
  std::optional<std::size_t> response;
  if (word == "auto" || word.empty()) {
    for (std::size_t j = 0; j < width; ++j)
      if (of[j] == (options.columns.empty() ? Role::feature : Role::ignored)) response = j;
    last_is_response = response.has_value();
  } else {
    response = column_of(word, reader);
    if (!response && !response_is_file(options, context) && options.bare_columns == 0)
      fail_column("response", word, reader, true);
  }
  if (response) take(*response, Role::response, "response", reader);
}

void TableRoles::take(std::size_t column, Role role, const std::string& key, const FieldReader& reader) {
  if (of[column] != Role::feature && of[column] != Role::ignored)
    throw Error(
        ErrorKind::usage, key,
        column_name(reader, column) + " is named here and by another of response, weights, offset and groups",
        "give each a column of its own");
  chosen = chosen || role != Role::response;
  of[column] = role;
}

std::optional<std::size_t> TableRoles::place(Role role) const {
  const auto found = std::find(of.begin(), of.end(), role);
  if (found == of.end()) return std::nullopt;
  return static_cast<std::size_t>(found - of.begin());
}

bool TableRoles::is_missing_in(const std::vector<std::string_view>& fields) const {
  for (std::size_t j = 0; j < fields.size(); ++j)
    if (of[j] != Role::ignored && is_missing(fields[j])) return true;
  return false;
}

}  // namespace claros::design_formats
