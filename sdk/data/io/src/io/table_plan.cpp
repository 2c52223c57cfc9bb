// SPDX-License-Identifier: BSD-3-Clause
#include "io/table_plan.hpp"

#include "io/dates.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <utility>

namespace claros::design_formats {

namespace {

/// A column of that many different texts and more than half as many rows is no column of categories.
constexpr std::size_t kFewLevels = 20, kMostLevels = 1000;
constexpr const char* kMissingLevel = "(missing)";

using Role = TableRoles::Role;

/// An encoding without columns yet.
std::shared_ptr<TableEncoding> blank_encoding(const TableRoles& roles) {
  auto encoding = std::make_shared<TableEncoding>();
  encoding->width = static_cast<Index>(roles.of.size());
  if (const auto response = roles.place(Role::response)) encoding->response = static_cast<Index>(*response);
  return encoding;
}

TablePlan plan_of(TableRoles roles, std::shared_ptr<const TableEncoding> encoding, Index rows) {
  TablePlan plan{.roles = std::move(roles), .encoding = std::move(encoding), .rows = rows};
  for (const auto& column : plan.encoding->columns)
    plan.place.push_back(static_cast<std::size_t>(column.place));
  return plan;
}

std::string name_in(const FieldReader& reader, std::size_t j) {
  return reader.names().empty() ? "" : reader.names()[j];
}

}  // namespace

TablePlan plain_plan(TableRoles roles, const FieldReader& reader, Index rows) {
  auto encoding = blank_encoding(roles);
  for (std::size_t j = 0; j < roles.of.size(); ++j) {
    if (roles.of[j] == Role::feature)
      encoding->columns.push_back({.name = name_in(reader, j), .place = static_cast<Index>(j), .unit = ""});
    else if (!reader.names().empty())
      encoding->ignored.push_back(reader.names()[j]);
  }
  TablePlan plan = plan_of(std::move(roles), std::move(encoding), rows);
  plan.plain = true;
  return plan;
}

namespace {

/// The contents of a table's column.
struct Seen {
  Index numbers = 0, missing = 0, texts = 0, dates = 0;
  Index summed = 0;                 ///< the numbers and dates of rows that have a weight
  std::string mixed_at;             ///< the place of the first number after which it has points and commas
  std::optional<std::string> unit;  ///< of its numbers
  std::string written, written_at;  ///< the first number with a unit or separated thousands, and its place
  double value = 0.0;               ///< of that
  std::string text, text_at;        ///< the first that is not a number, and its place
  Dates needs = Dates::days;        ///< what its dates need (date_needs), the most of them
  std::string unread, unread_at;    ///< the first date that the option does not read, and its place
  std::string other, other_at;      ///< the first text that is no date, and its place
  std::map<std::string, Index, std::less<>> levels;
  bool too_many = false, broken = false;
  double sum = 0.0;
  std::vector<double> values;  ///< for a median
};

class Survey {
 public:
  Survey(const Path& path, TableRoles roles, const DesignOptions& options, const Context& context)
      : path_(path),
        options_(options),
        context_(context),
        input_(path),
        reader_(input_, options.table.delimiter, options.table.header, 1),
        rule_(number_rule(options.decimal, reader_.delimiter())),
        roles_(std::move(roles)),
        seen_(roles_.of.size()),
        signs_(roles_.of.size()) {
    if (!reader_.next()) input_.fail("the file changed while it was read");
  }

  /// Throws all faults of the table at once.
  TablePlan plan() {
    do row();
    while (reader_.next());
    if (rows_ == 0)
      throw Error(ErrorKind::data, path_.string(),
                  "every row has a missing value: missing = drop leaves none",
                  "leave out the columns that have most (without), or set missing = mean or indicator");
    const auto encoding = blank_encoding(roles_);
    encoding->reference = options_.levels == Levels::reference;
    for (std::size_t j = 0; j < roles_.of.size(); ++j) {
      if (!seen_[j].broken && roles_.of[j] != Role::ignored) expect_readable(j);
      if (roles_.of[j] == Role::feature && !seen_[j].broken)
        feature(j, *encoding);
      else if (!reader_.names().empty())
        encoding->ignored.push_back(reader_.names()[j]);
    }
    if (!faults_.empty()) throw Error(ErrorKind::data, std::move(faults_));
    if (options_.dates != Dates::refuse &&
        std::ranges::none_of(encoding->columns, &TableEncoding::Column::date))
      throw Error(ErrorKind::usage, "dates", "is given, and no column that is used holds dates alone",
                  "leave it out, or write dates as 2024-03-01");
    TablePlan plan = plan_of(std::move(roles_), encoding, rows_);
    plan.drops = options_.missing == Missing::drop;
    plan.rule = rule_;
    plan.dates = options_.dates;
    if (const Index dropped = lines_ - rows_; dropped > 0)
      context_.note(path_.string() + ": " + std::to_string(dropped) + " of " + std::to_string(lines_) +
                    " rows have a missing value and are left out");
    return plan;
  }

 private:
  void row() {
    ++lines_;
    const auto& fields = reader_.fields();
    if (options_.missing == Missing::drop && roles_.is_missing_in(fields)) return;
    ++rows_;
    const auto weight = roles_.place(Role::weight);
    counts_ = !weight || number_of(fields[*weight], rule_) != 0.0;
    for (std::size_t j = 0; j < fields.size(); ++j)
      if (roles_.of[j] != Role::ignored && !seen_[j].broken) field(fields[j], j);
  }

  void field(std::string_view text, std::size_t j) {
    Seen& s = seen_[j];
    const bool forced = roles_.categorical[j];
    if (roles_.is_missing_at(j, text)) {
      if (s.missing++ == 0 && (options_.missing == Missing::refuse || roles_.of[j] != Role::feature))
        refuse_missing(text, j);
      return;
    }
    if (const auto number = forced ? std::nullopt : number_in(text, j)) {
      ++s.numbers;
      add(*number, s);
      return;
    }
    if (s.broken) return;
    if (const auto decimal = forced ? std::nullopt : other_decimal(text, rule_))
      return refuse_decimal(text, j, *decimal);
    if (s.text.empty()) s.text = shown(text), s.text_at = reader_.where();
    ++s.texts;
    if (!forced) date(text, s);
    if (s.too_many) return;
    const auto known = s.levels.find(text);
    (known != s.levels.end() ? known->second : s.levels[std::string(text)]) += counts_;
    s.too_many = s.levels.size() > kMostLevels;
  }

  void date(std::string_view text, Seen& s) {
    const auto needs = date_needs(text);
    if (!needs) {
      if (s.other.empty()) s.other = shown(text), s.other_at = reader_.where();
      return;
    }
    ++s.dates;
    if (*needs != Dates::days && s.needs != Dates::refuse) s.needs = *needs;
    const auto days = options_.dates == Dates::refuse ? std::nullopt : days_of(text, options_.dates);
    if (!days) {
      if (s.unread.empty()) s.unread = shown(text), s.unread_at = reader_.where();
      return;
    }
    add(*days, s);
  }

  /// Rows of weight 0 say nothing of what fills in.
  void add(double number, Seen& s) {
    if (!counts_) return;
    ++s.summed;
    s.sum += number;
    if (options_.missing == Missing::median) s.values.push_back(number);
  }

  /// A finite number; its signs are noted.
  std::optional<double> number_in(std::string_view text, std::size_t j) {
    Seen& s = seen_[j];
    const auto number = written_number(text, rule_);
    if (!number) return std::nullopt;
    if ((!number->unit.empty() || number->grouped) && s.written.empty()) {
      s.written = shown(text);
      s.written_at = reader_.where();
      s.value = number->value;
    }
    if (s.unit.value_or(number->unit) != number->unit) {
      fault(reader_.where(),
            column_name(reader_, j) + " is " + shown(text) + ", and has " +
                (s.unit->empty() ? std::string("no unit") : "the unit " + *s.unit) + " in rows before",
            "write all of it in one unit, or leave it out (without = " + selector(j) + ")");
      s.broken = true;
      return std::nullopt;
    }
    s.unit = number->unit;
    if (rule_.chosen) return number->value;
    signs_[j].add(text);
    if (signs_[j].point && signs_[j].comma && s.mixed_at.empty()) s.mixed_at = reader_.where();
    return number->value;
  }

  /// Faults that all rows together show.
  void expect_readable(std::size_t j) {
    Seen& s = seen_[j];
    if (std::string what = open_signs(column_name(reader_, j), signs_[j], signs_); !what.empty()) {
      fault(s.mixed_at.empty() ? path_.string() : s.mixed_at, std::move(what), kDecimalRemedy);
      s.broken = true;
    }
    const bool is_response = roles_.of[j] == Role::response;
    if (is_response && s.dates > 0 && s.dates == s.texts && s.numbers == 0) {
      fault(s.text_at, column_name(reader_, j) + " is " + s.text + ", a date, and the response",
            "turn it into numbers beforehand");
      s.broken = true;
    }
  }

  void refuse_decimal(std::string_view text, std::size_t j, Decimal decimal) {
    const bool open = decimal == Decimal::automatic, comma = decimal == Decimal::comma;
    fault(reader_.where(),
          column_name(reader_, j) + " is " + shown(text) +
              ", a number with commas or points that are not what stands before decimals here",
          open ? std::string(kDecimalRemedy)
               : std::string("set decimal = ") + (comma ? "comma" : "point") +
                     ", or take its fields as categories (categorical = " + selector(j) + ")");
    seen_[j].broken = true;
  }

  void feature(std::size_t j, TableEncoding& encoding) {
    const Seen& s = seen_[j];
    const std::string name = column_name(reader_, j);
    TableEncoding::Column column{.name = name_in(reader_, j), .place = static_cast<Index>(j)};
    const auto leave_out = [&](const std::string& why) {
      context_.note(name + " is left out: " + why);  // it keeps its role, so that drop drops the same rows
      if (!reader_.names().empty()) encoding.ignored.push_back(column.name);
    };
    if (s.numbers == 0 && s.levels.empty()) return leave_out("it has no value");
    const auto has_weight = [](const auto& level) { return level.second > 0; };
    if (s.summed == 0 && std::ranges::none_of(s.levels, has_weight))
      return leave_out("all rows with a value have the weight 0");
    if (s.numbers > 0 && s.texts > 0) return refuse_text(j);
    column.date = s.dates > 0;
    if (column.date && !are_dates_read(j)) return;
    const bool filled = options_.missing != Missing::refuse && options_.missing != Missing::drop;
    if (s.levels.empty() || column.date) {
      if (filled)
        column.fill =
            options_.missing == Missing::median ? median(s.values) : s.sum / static_cast<double>(s.summed);
      column.indicator = options_.missing == Missing::indicator && s.missing > 0;
      column.comma = signs_[j].comma;
      column.unit = s.unit;
      if (column.date) context_.note(name + ": dates, taken as days since 1970-01-01");
      if (!s.written.empty()) context_.note(name + ": " + s.written + " is read as " + print_real(s.value));
      if (s.missing > 0 && filled)
        context_.note(name + ": " + std::to_string(s.missing) + " missing, taken as " +
                      print_real(column.fill));
    } else {
      if (!are_few(j) || are_quantities(j)) return;
      for (const auto& level : s.levels)
        if (has_weight(level)) column.levels.push_back(level.first);
      if (filled) {
        column.fill_level =
            std::max_element(s.levels.begin(), s.levels.end(), [](const auto& a, const auto& b) {
              return a.second < b.second;
            })->first;
        if (options_.missing == Missing::indicator && s.missing > 0)
          column.levels.push_back(column.fill_level = kMissingLevel);
      }
      if (column.levels.size() == 1)
        return leave_out("it is " + shown(column.levels.front()) + " in all rows");
      context_.note(name + ": " + levels_text(column.levels, encoding.reference));
    }
    encoding.columns.push_back(std::move(column));
  }

  static std::string levels_text(const std::vector<std::string>& levels, bool reference) {
    constexpr std::size_t kShown = 6;
    std::string text = std::to_string(levels.size()) + " categories (";
    for (std::size_t k = 0; k < std::min(levels.size(), kShown); ++k) text += (k ? ", " : "") + levels[k];
    return text + (levels.size() > kShown ? ", ...)" : ")") +
           (reference ? "; " + levels.front() + " is the reference, without a column" : "; a column each");
  }

  static double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
  }

  bool are_few(std::size_t j) {
    const Seen& s = seen_[j];
    const std::size_t count = s.levels.size();
    if (!s.too_many &&
        (count <= kFewLevels || 2 * count <= static_cast<std::size_t>(rows_) || roles_.categorical[j]))
      return true;
    fault(path_.string(),
          column_name(reader_, j) + " holds " + (s.too_many ? "more than " : "") +
              std::to_string(s.too_many ? kMostLevels : count) + " different texts in " +
              std::to_string(rows_) + " rows, such as " + shown(s.levels.begin()->first) +
              ": too many for categories",
          "leave it out with without = " + selector(j) + ", or turn it into numbers beforehand");
    return false;
  }

  /// The unit that stands behind the numbers of all fields, ":" for times of day, or "k, M" for magnitudes.
  /// It is empty for other texts.
  std::string quantity_of(std::size_t j) const {
    static const std::regex time(R"(\d{1,2}:\d\d(:\d\d(\.\d+)?)?)");
    std::set<std::string> units;
    for (const auto& [level, count] : seen_[j].levels) {
      const std::size_t end = level.find_last_of("0123456789") + 1;
      std::string unit = level.substr(std::min(level.find_first_not_of(' ', end), level.size()));
      const bool is_word = !unit.empty() && (std::isalpha(static_cast<unsigned char>(unit.front())) ||
                                             static_cast<unsigned char>(unit.front()) >= 0x80);
      if (std::regex_match(level, time))
        unit = ":";
      else if (!is_word || !written_number(level.substr(0, end), rule_))
        return {};
      else if (unit.size() == 1 && std::string("kKMBGT").find(unit) != std::string::npos)
        unit = "k, M";
      units.insert(std::move(unit));
    }
    return units.size() == 1 ? *units.begin() : std::string();
  }
  /// True, with a fault, of texts such as 5kg, 1.2M and 10:30: categories of numbers would lose their order.
  bool are_quantities(std::size_t j) {
    if (roles_.categorical[j] || seen_[j].levels.size() < 2) return false;
    const std::string unit = quantity_of(j);
    if (unit.empty()) return false;
    const std::string what = unit == ":"      ? "times of day"
                             : unit == "k, M" ? "numbers with a letter for their magnitude"
                                              : "numbers with the unit " + unit;
    fault(path_.string(),
          column_name(reader_, j) + " holds " + what + ", such as " + shown(seen_[j].levels.begin()->first),
          "write plain numbers, leave it out (without = " + selector(j) +
              "), or take its fields as categories (categorical = " + selector(j) + ")");
    return true;
  }

  /// By its name, or its number if it has none.
  std::string selector(std::size_t j) const {
    const std::string name = name_in(reader_, j);
    return name.empty() ? std::to_string(j + 1) : name;
  }
  void refuse_text(std::size_t j) {
    fault(seen_[j].text_at,
          column_name(reader_, j) + " is " + seen_[j].text +
              ", which is not a number that a double can hold; other rows of the column hold numbers",
          "fix it, leave the column out (without = " + selector(j) +
              "), or take its fields as categories (categorical = " + selector(j) + ")");
  }
  /// False, with a fault, unless the option reads all texts of the column as dates.
  bool are_dates_read(std::size_t j) {
    const Seen& s = seen_[j];
    const std::string others = ", leave it out (without = " + selector(j) +
                               "), or take them as categories (categorical = " + selector(j) + ")";
    if (s.dates < s.texts) {
      fault(s.other_at, column_name(reader_, j) + " is " + s.other + ", and other rows hold dates",
            "write a date there or leave the field blank" + others);
      return false;
    }
    if (s.unread.empty()) return true;
    const bool month = options_.dates == Dates::month_first, day = options_.dates == Dates::day_first;
    const std::string remedy = s.needs == Dates::refuse ? "write their years with four digits"
                               : s.needs == Dates::days ? "set dates = days (their days since 1970-01-01)"
                               : month                  ? "set dates = day-first, or correct the date"
                               : day                    ? "set dates = month-first, or correct the date"
                                     : "set dates = month-first or dates = day-first, whichever they are";
    fault(s.unread_at, column_name(reader_, j) + " holds dates, such as " + s.unread, remedy + others);
    return false;
  }
  void refuse_missing(std::string_view text, std::size_t j) {
    const bool feature = roles_.of[j] == Role::feature;
    fault(reader_.where(),
          column_name(reader_, j) + (text.empty() ? " is empty" : " is " + shown(text)) +
              (feature ? ": a missing value" : ": a missing value, which is never filled in"),
          feature ? "train with missing = mean, median or indicator, which fill it in, or remove the row: "
                    "missing = drop does so in training"
                  : "fix it, or remove the row: missing = drop does so in training");
  }
  void fault(std::string where, std::string what, std::string remedy) {
    faults_.push_back({std::move(where), std::move(what), std::move(remedy)});
  }

  const Path& path_;
  const DesignOptions& options_;
  const Context& context_;
  TextInput input_;
  FieldReader reader_;
  const NumberRule rule_;
  TableRoles roles_;
  std::vector<Seen> seen_;
  std::vector<Signs> signs_;
  std::vector<Complaint> faults_;
  Index lines_ = 0, rows_ = 0;
  bool counts_ = true;  ///< false in a row of weight 0
};

}  // namespace

TablePlan surveyed_plan(const Path& path, TableRoles roles, const DesignOptions& options,
                        const Context& context) {
  roles.leave_out_empty(path, options, context);
  return Survey(path, std::move(roles), options, context).plan();
}

TablePlan trained_plan(const Path& path, const DesignOptions& options, const FieldReader& reader, Index rows,
                       const Context& context) {
  const TableEncoding& encoding = *options.encoding;
  const auto width = reader.fields().size();
  const auto& names = reader.names();
  const bool whole = static_cast<Index>(width) == encoding.width;
  if (names.empty() && !whole && width != encoding.columns.size())
    throw Error(ErrorKind::data, path.string(),
                "has " + std::to_string(width) + " columns and no header; the table of the training had " +
                    std::to_string(encoding.width),
                "give the columns of the training");
  DesignOptions asked = options;
  asked.columns = asked.without = asked.weights = asked.groups = "";
  asked.bare_columns = static_cast<Index>(width);              // a response is looked for here
  if (!column_of(asked.offset, reader)) asked.offset.clear();  // predict_rows says that it is missing
  TableRoles roles(asked, reader, context);
  for (Role& role : roles.of)
    if (role == Role::feature) role = Role::ignored;
  TablePlan plan{.roles = std::move(roles), .encoding = options.encoding, .trained = true};
  plan.rule = number_rule(options.decimal, reader.delimiter());
  plan.dates = options.dates;
  plan.rows = rows;
  for (std::size_t k = 0; k < encoding.columns.size(); ++k) {
    const auto& column = encoding.columns[k];
    std::size_t at = whole ? static_cast<std::size_t>(column.place) : k;
    if (!names.empty()) {
      const auto named = std::find(names.begin(), names.end(), column.name);
      if (named == names.end())
        throw Error(ErrorKind::data, path.string(),
                    "lacks the column '" + column.name + "' of the training data", "add it");
      at = static_cast<std::size_t>(named - names.begin());
    }
    plan.place.push_back(at), plan.roles.of[at] = Role::feature;
  }
  const std::string& word = options.response;
  std::optional<std::size_t> response;
  if (word != "auto" && !word.empty())
    response = column_of(word, reader);
  else if (names.empty() && whole && encoding.response >= 0)
    response = static_cast<std::size_t>(encoding.response);
  if (response && plan.roles.of[*response] == Role::ignored && !options.ignores_responses)
    plan.roles.of[*response] = Role::response;
  for (std::size_t j = numbers_rows(names) ? 1 : 0; j < names.size(); ++j)
    if (plan.roles.of[j] == Role::ignored &&
        std::find(encoding.ignored.begin(), encoding.ignored.end(), names[j]) == encoding.ignored.end())
      throw Error(ErrorKind::data, path.string(),
                  "has the column '" + names[j] + "', which the training data did not have", "remove it");
  return plan;
}

}  // namespace claros::design_formats
