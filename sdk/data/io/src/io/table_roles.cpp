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

bool numbers_rows(const std::vector<std::string>& names) {
  return !names.empty() && (names.front().empty() || names.front() == "Unnamed: 0");
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
  if (options.beside)
    for (const ColumnBeside& one : *options.beside) {
      beside.push_back(column_named(one.key, one.column, reader));
      take(beside.back(), Role::beside, one.key, reader);
    }
  if (static_cast<Index>(width) != options.bare_columns) take_response(options, reader, context);
  if (const auto response = place(Role::response); response && options.ignores_responses)
    of[*response] = Role::ignored;
  take_categorical(options.categorical, reader);
  for (std::size_t k = 0; k < beside.size(); ++k) categorical[beside[k]] = (*options.beside)[k].names;
}

void TableRoles::take_response(const DesignOptions& options, const FieldReader& reader,
                               const Context& context) {
  const std::string& word = options.response;
  std::optional<std::size_t> response;
  if (word == "auto" || word.empty()) {
    const Role open = options.columns.empty() ? Role::feature : Role::ignored;
    for (std::size_t j = 0; j < of.size(); ++j)
      if (of[j] == open) response = j;
    if (open == Role::ignored && std::ranges::count(of, open) > 1)
      throw Error(ErrorKind::usage, "columns",
                  "names the features, and leaves open which of the " +
                      std::to_string(std::ranges::count(of, open)) + " other columns is the response",
                  "name it: response = COLUMN");
    last_is_response = response.has_value();
  } else {
    response = column_of(word, reader);
    if (!response && !response_is_file(options, context) && options.bare_columns == 0)
      fail_column("response", word, reader, true);
  }
  if (response) take(*response, Role::response, "response", reader);
}

void TableRoles::take_categorical(const std::string& list, const FieldReader& reader) {
  categorical.assign(of.size(), false);
  for (const std::size_t j : columns_of("categorical", list, reader)) {
    categorical[j] = true;
    if (of[j] != Role::feature && of[j] != Role::group)
      throw Error(ErrorKind::usage, "categorical",
                  column_name(reader, j) + " is named here and is " +
                      (of[j] == Role::response ? "the response" : "no feature"),
                  "name features alone; logistic and multinomial take the numbers of a response as classes");
  }
  if (const auto group = place(Role::group)) categorical[*group] = true;
}

void TableRoles::take(std::size_t column, Role role, const std::string& key, const FieldReader& reader) {
  if (of[column] != Role::feature && of[column] != Role::ignored)
    throw Error(
        ErrorKind::usage, key,
        column_name(reader, column) + " is named here and by another option, such as response or weights",
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
    if (of[j] != Role::ignored && is_missing_at(j, fields[j])) return true;
  return false;
}

void TableRoles::leave_out_empty(const Path& path, const DesignOptions& options, const Context& context) {
  if (!options.columns.empty() || options.bare_columns > 0) return;  // of rows to predict
  TextInput input(path);
  FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  std::vector<std::size_t> empty;
  for (std::size_t j = 0; j < of.size(); ++j)
    if (of[j] == Role::feature) empty.push_back(j);
  while (!empty.empty() && reader.next())
    std::erase_if(empty, [&](std::size_t j) { return !is_missing_at(j, reader.fields()[j]); });
  for (const std::size_t j : empty) {
    context.note(column_name(reader, j) + " is left out: it has no value");
    of[j] = Role::ignored;
  }
}

}  // namespace claros::design_formats
