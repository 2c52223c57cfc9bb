// SPDX-License-Identifier: BSD-3-Clause
#include "io/list_columns.hpp"

#include "io/table_roles.hpp"
#include "io/written_number.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace claros {
namespace {

enum class Field { unknown, row, col, value, time, weight, number };

/// Lower case, letters and digits alone.
std::string plain(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) > 127;
    if (kept) text += c;
  }
  return text;
}

/// What a column of that name holds; `number`: the number of the line.
Field role_of(std::string_view name) {
  using Words = std::vector<std::string_view>;
  static const std::vector<std::pair<Field, Words>> known{
      {Field::row, {"row", "user", "uid", "customer", "reviewer", "person", "member", "client", "viewer"}},
      {Field::col,
       {"col", "column", "item", "iid", "movie", "film", "product", "book", "isbn", "song", "track", "artist",
        "article", "business", "place", "game", "anime", "asin", "sku"}},
      {Field::value,
       {"value", "rating", "ratings", "score", "stars", "bookrating", "overall", "count", "counts", "plays",
        "playcount", "views", "visits", "clicks", "quantity", "listens", "purchases", "interactions"}},
      {Field::time,
       {"time", "timestamp", "ts", "date", "datetime", "unixtime", "unixtimestamp", "unixreviewtime",
        "reviewtime", "eventtime", "created", "createdat", "day"}},
      {Field::weight, {"weight", "weights"}},
      {Field::number, {"", "unnamed0", "index", "idx", "id", "rownumber", "rownum"}}};
  std::string text = plain(name);
  const auto find = [&text] {
    for (const auto& [role, words] : known)
      if (std::ranges::find(words, text) != words.end()) return role;
    return Field::unknown;
  };
  const Field role = find();
  if (role != Field::unknown || !text.ends_with("id")) return role;
  text.resize(text.size() - 2);
  return find();
}

template <class Names>
std::vector<Field> roles_of(const Names& names) {
  std::vector<Field> roles;
  for (const auto& name : names) roles.push_back(role_of(name));
  return roles;
}

/// The only field of that role; nothing for none and for several.
std::optional<std::size_t> only(const std::vector<Field>& roles, Field role) {
  const auto found = std::ranges::find(roles, role);
  if (found == roles.end() || std::find(found + 1, roles.end(), role) != roles.end()) return std::nullopt;
  return static_cast<std::size_t>(found - roles.begin());
}

/// Whether a text may be the name of a column of numbers: it begins with a letter, and is no word for a value
/// that is missing.
bool may_be_name(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kMissing{"na",  "nan",     "null",      "none",
                                                            "nil", "missing", "undefined", "unknown"};
  if (text.empty() || has_invisible(text) || design_formats::is_missing(text)) return false;
  const char c = text.front();
  const bool letter =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) > 127;
  return letter && std::ranges::find(kMissing, plain(text)) == kMissing.end();
}

/// Every number as one digit: ids that are made alike have the same form.
std::string form_of(std::string_view id) {
  std::string form;
  for (const char c : id) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || !form.ends_with('0')) form += digit ? '0' : c;
  }
  return form;
}

bool alike(std::string_view name, std::string_view id) {
  const std::string form = form_of(name);
  return name == id || (form.find('0') != form.npos && form == form_of(id));
}

std::vector<std::string> words_of(const std::string& columns) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from <= columns.size() && !columns.empty();) {
    const std::size_t to = std::min(columns.find(',', from), columns.size());
    std::string word = columns.substr(from, to - from);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    words.push_back(std::move(word));
    from = to + 1;
  }
  return words;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + shown(name);
  return text;
}

}  // namespace

ListNeeds needs_of(const RatingsOptions& options) {
  using Fourth = ListNeeds::Fourth;
  if (options.half_life > 0.0 && options.weights == "column")
    throw Error(ErrorKind::usage, "half_life",
                "takes the fourth field for a time, and weights = column for a weight", "set one of them");
  return {.fourth = options.half_life > 0.0       ? Fourth::time
                    : options.weights == "column" ? Fourth::weight
                                                  : Fourth::none};
}

std::size_t numbered_field(const std::string& columns, std::size_t k) {
  const std::vector<std::string> words = words_of(columns);
  const auto number = k < words.size() ? integer_of(words[k]) : std::nullopt;
  return number && *number >= 1 ? static_cast<std::size_t>(*number - 1) : k;
}

bool names_list(const std::vector<std::string_view>& names) {
  const std::vector<Field> roles = roles_of(names);
  return only(roles, Field::row) && only(roles, Field::col) && only(roles, Field::value);
}

HeaderRule list_header_rule(const std::string& columns) {
  const std::size_t row = numbered_field(columns, 0), col = numbered_field(columns, 1),
                    at = numbered_field(columns, 2);
  HeaderRule rule;
  rule.is_header = [at](const std::vector<std::string_view>& fields) {
    if (std::ranges::any_of(fields, [](auto field) { return number_of(field).has_value(); })) return false;
    return fields.size() < 3 || names_list(fields) || (at < fields.size() && may_be_name(fields[at]));
  };
  rule.is_alike = [row, col](const std::vector<std::string>& names,
                             const std::vector<std::string_view>& next) {
    const std::vector<Field> roles = roles_of(names);
    if (std::max(row, col) >= names.size() || (only(roles, Field::row) && only(roles, Field::col)))
      return false;
    return alike(names[row], next[row]) || alike(names[col], next[col]);
  };
  return rule;
}

std::string list_header(const std::string& header, const std::string& columns) {
  const bool named =
      std::ranges::any_of(words_of(columns), [](const auto& word) { return !integer_of(word); });
  if (named && header == "no")
    throw Error(ErrorKind::usage, "columns", "names columns, and header = no says that no line does",
                "give their numbers, counted from 1, or set header = yes");
  return named ? "yes" : header;
}

ListColumns::ListColumns(const FieldReader& reader, const std::string& columns, const ListNeeds& needs) {
  if (needs.value || reader.width() > 2) value = 2;
  if (needs.fourth != ListNeeds::Fourth::none) fourth = 3;
  if (!columns.empty())
    take_words(reader, columns, needs);
  else if (!reader.names().empty())
    take_names(reader, needs);
}

bool ListColumns::in_order() const {
  return row == 0 && col == 1 && value.value_or(2) == 2 && fourth.value_or(3) == 3;
}

void ListColumns::take_words(const FieldReader& reader, const std::string& columns, const ListNeeds& needs) {
  const std::vector<std::string> words = words_of(columns);
  const std::size_t least = needs.fields();
  if (words.size() < least || words.size() > 4)
    throw Error(ErrorKind::usage, "columns",
                "expected " +
                    std::string(least == 4   ? "four"
                                : least == 3 ? "three or four"
                                             : "two to four") +
                    " columns, got " + std::to_string(words.size()),
                std::string("write row, column, value") +
                    (least < 4                                 ? ""
                     : needs.fourth == ListNeeds::Fourth::time ? " and time"
                                                               : " and weight") +
                    ", such as columns = user,item,rating" +
                    (least < 4                                 ? ""
                     : needs.fourth == ListNeeds::Fourth::time ? ",time"
                                                               : ",weight"));
  std::vector<std::size_t> at;
  for (const std::string& word : words) {
    at.push_back(design_formats::column_named("columns", word, reader));
    if (std::find(at.begin(), at.end() - 1, at.back()) != at.end() - 1)
      throw Error(ErrorKind::usage, "columns", "takes column " + std::to_string(at.back() + 1) + " twice",
                  "give row, column and value a column each");
  }
  row = at[0];
  col = at[1];
  value = at.size() > 2 ? std::optional(at[2]) : std::nullopt;
  if (fourth) fourth = at[3];
  named_ = true;
}

void ListColumns::take_names(const FieldReader& reader, const ListNeeds& needs) {
  const std::vector<Field> roles = roles_of(reader.names());
  const auto of_row = only(roles, Field::row), of_col = only(roles, Field::col),
             of_value = only(roles, Field::value);
  if (of_row && of_col && !of_value && !needs.value &&
      (*of_row != 0 || *of_col != 1 || (value && roles[2] != Field::unknown)))
    value.reset();
  if (of_row && of_col && (of_value || !value)) {
    row = *of_row;
    col = *of_col;
    if (value) value = of_value;
    named_ = true;
  }
  const std::size_t first = value ? 3 : 2;
  for (std::size_t k = 0; k < first && !named_; ++k) {
    const Field own = std::array{Field::row, Field::col, Field::value}[k];
    const bool elsewhere = roles[k] != own && std::ranges::find(roles, own) != roles.end();
    if (elsewhere || (roles[k] != own && roles[k] != Field::unknown)) refuse_names(reader, needs);
  }
  if (!fourth) return;
  const Field needed = needs.fourth == ListNeeds::Fourth::time ? Field::time : Field::weight;
  if (const auto found = only(roles, needed)) {
    fourth = found;
    return;
  }
  std::vector<std::size_t> left;
  for (std::size_t k = 0; k < roles.size(); ++k)
    if (k != row && k != col && k != value) left.push_back(k);
  if (named_ && left.size() == 1) fourth = left.front();
  const bool taken = *fourth == row || *fourth == col || *fourth == value;
  if (taken || roles[*fourth] != Field::unknown) refuse_names(reader, needs);
}

void ListColumns::refuse_names(const FieldReader& reader, const ListNeeds& needs) const {
  const std::vector<Field> roles = roles_of(reader.names());
  const char* const of_fourth = needs.fourth == ListNeeds::Fourth::time     ? "time"
                                : needs.fourth == ListNeeds::Fourth::weight ? "weight"
                                                                            : nullptr;
  std::string example;
  std::vector<std::size_t> used;
  const auto add = [&](Field role) {
    auto found = std::ranges::find(roles, role);
    for (std::size_t k = 0; found == roles.end() && k < roles.size(); ++k)
      if (roles[k] == Field::unknown && std::ranges::find(used, k) == used.end())
        found = roles.begin() + static_cast<std::ptrdiff_t>(k);
    const auto at = static_cast<std::size_t>(found - roles.begin());
    used.push_back(at);
    const bool plain_name = at < roles.size() && !reader.names()[at].empty() &&
                            std::ranges::count(reader.names(), reader.names()[at]) == 1;
    example += (example.empty() ? "" : ",") + (plain_name ? reader.names()[at] : "NUMBER");
  };
  add(Field::row), add(Field::col);
  if (value) add(Field::value);
  if (of_fourth) add(needs.fourth == ListNeeds::Fourth::time ? Field::time : Field::weight);
  throw Error(ErrorKind::data, reader.header_place(),
              "the header names the columns " + listed(reader.names()) +
                  ", which leaves open which of them are the row, the column" + (value ? ", the value" : "") +
                  (of_fourth ? std::string(" and the ") + of_fourth : ""),
              "say so by their names or their numbers from 1, such as columns = " + example);
}

std::optional<GuessedHeader> ListColumns::guess(const FieldReader& reader) const {
  if (named_ || !reader.header_is_guess()) return std::nullopt;
  return GuessedHeader{reader.names()[row], reader.names()[col], reader.header_place(),
                       listed(reader.names())};
}

void GuessedHeader::refuse() const {
  throw Error(ErrorKind::data, place,
              "the line " + text + " has no number, as a header, and an id of other lines, as data",
              "correct its value, or set header = yes if it is a header");
}

void ListColumns::note(const FieldReader& reader, const Context& context) const {
  reader.note_header(context);
  const std::size_t width = reader.width();
  if (in_order() && (fourth || width < 4)) return;
  if (in_order())
    return context.note(reader.file() + ": of " + std::to_string(width) +
                        " fields the first three are read: row, column and value (weights = column and "
                        "half_life read the fourth)");
  const auto name = [&](std::size_t k) {
    return reader.names().empty() ? "field " + std::to_string(k + 1) : shown(reader.names()[k]);
  };
  std::string text = reader.file() + ": of " + std::to_string(width) + " fields " + name(row) +
                     " is the row, " + name(col) + " the column";
  if (value) text += ", " + name(*value) + " the value";
  if (fourth) text += ", " + name(*fourth) + " the weight or the time";
  context.note(text);
}

Decimals::Decimals(const std::string& rule, std::string_view delimiter)
    : rule_(rule == "auto" && delimiter == "comma" ? "point" : rule) {}

double Decimals::number(const FieldReader& reader, std::size_t i, const std::string& name) {
  const std::string_view field = reader.fields()[i];
  if (takes_points())
    if (const auto found = number_of(field); found && std::isfinite(*found)) {
      point = point || field.find('.') != field.npos;
      if (point && comma) expect_one(reader.where());
      return *found;
    }
  const auto found = design_formats::number_of(field, Decimal::comma);
  if (!found || !std::isfinite(*found)) {
    if (!takes_points() && number_of(field))
      reader.fail(name + " is " + shown(field) + ", and decimal = comma", "set decimal = point or auto");
    return reader.number(i, name);
  }
  const bool has = field.find(',') != field.npos;
  if (has && rule_ == "point")
    reader.fail(name + " is " + shown(field) + ", a number with a comma",
                "set decimal = comma (and write the list with another delimiter than commas)");
  comma = comma || has;
  if (has && !decimal) {
    const auto whole = design_formats::written_number(field, {Decimal::point, true});
    decimal = rule_ == "comma" || !whole || !whole->grouped;
  }
  if (point && comma) expect_one(reader.where());
  return *found;
}

void Decimals::expect_one(const std::string& where) const {
  if (point && comma)
    throw Error(ErrorKind::data, where, "the numbers of a column have points and commas",
                design_formats::kDecimalRemedy);
  if (comma && !decimal)
    throw Error(ErrorKind::data, where,
                "the commas of a column may separate thousands, since three digits are behind each",
                "write thousands without commas, or set decimal = comma if they are before decimals");
}

}  // namespace claros
