// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include "io/consistency.hpp"
#include "io/dates.hpp"
#include "io/holes.hpp"
#include "io/table_notes.hpp"
#include "io/table_roles.hpp"
#include "io/text_output.hpp"
#include "io/written_number.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <span>

namespace claros {
namespace {

DenseTable column_major(const std::vector<double>& by_rows, Index cols) {
  DenseTable table{static_cast<Index>(by_rows.size()) / cols, cols, std::vector<double>(by_rows.size())};
  for (Index i = 0, k = 0; i < table.rows; ++i)
    for (Index j = 0; j < cols; ++j, ++k)
      table.values[static_cast<std::size_t>(i + j * table.rows)] = by_rows[static_cast<std::size_t>(k)];
  return table;
}

/// The name of a column in messages.
std::string label(const FieldReader& reader, std::size_t column) {
  const std::string number = "column " + std::to_string(column + 1);
  return reader.names().empty() ? number : number + " (" + reader.names()[column] + ")";
}

void write_names(TextOutput& out, const std::vector<std::string>& names, const std::string& where) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) out << ',';
    out << field_text(names[j], ',', where);
  }
  if (!names.empty()) out << '\n';
}

/// True if the first column holds whole numbers that all differ.
bool counts_rows(const DenseTable& table) {
  const auto column = std::span(table.values).first(static_cast<std::size_t>(table.rows));
  return table.cols > 1 && std::ranges::all_of(column, [](double v) { return v == std::floor(v); }) &&
         std::set<double>(column.begin(), column.end()).size() == column.size();
}

/// pandas names rows and columns 0, 1, 2 and so on; a first line of numbers is no header.
void expect_no_labels(const DenseTable& table, const std::string& path) {
  const auto at = [&](Index i, Index j) {
    return table.values[static_cast<std::size_t>(j * table.rows + i)];
  };
  if (table.rows < 2 || table.cols < 2 || !std::isnan(at(0, 0))) return;
  for (Index i = 1; i < table.rows; ++i)
    if (at(i, 0) != static_cast<double>(i - 1)) return;
  for (Index j = 1; j < table.cols; ++j)
    if (at(0, j) != static_cast<double>(j - 1)) return;
  throw Error(ErrorKind::data, path, "the first line and the first column count from 0: labels of pandas",
              "write the table without them: to_csv(FILE, header=False, index=False)");
}

}  // namespace

std::vector<ParameterRow<TableOptions>> table_rows() {
  return {
      row("delimiter", &TableOptions::delimiter, delimiter_range(), "what separates the fields of a line"),
      row("header", &TableOptions::header, header_range(), "whether the first line names the columns")};
}

NamedTable read_table(const std::filesystem::path& path, const TableOptions& options,
                      const Context& context) {
  return table_of_text(path, options, Holes::refuse, context);
}

namespace {

/// The fields of a table of numbers. Without options of columns they are plain numbers in every column.
class NumberFields {
 public:
  NumberFields(const FieldReader& reader, Holes holes, const DesignOptions* options)
      : reader_(reader), holes_(holes), options_(options) {}

  /// Once the first line is known.
  void begin() {
    skipped_.assign(reader_.width(), false);
    signs_.assign(reader_.width(), {});
    if (!options_) return;
    rule_ = design_formats::number_rule(options_->decimal, reader_.delimiter());
    for (const std::size_t j : design_formats::columns_of("without", options_->without, reader_))
      skipped_[j] = true;
    if (std::ranges::count(skipped_, false) == 0)
      throw Error(ErrorKind::usage, "without", "leaves out every column", "keep one");
  }
  bool is_skipped(std::size_t j) const { return skipped_[j]; }
  Index skipped() const { return std::ranges::count(skipped_, true); }
  bool is_name(std::string_view field) const {
    const bool is_number = number(field) || (options_ && design_formats::other_decimal(field, rule_));
    return !is_number && !design_formats::is_missing(field) && !day(field);
  }
  double operator()(std::size_t j) {
    const std::string_view field = reader_.fields()[j];
    const std::optional<double> plain = rule_.decimal == Decimal::comma ? std::nullopt : number_of(field);
    if (plain && std::isfinite(*plain) && (!options_ || field.find('.') == field.npos)) return *plain;
    if (holes_ == Holes::keep && (!plain || std::isnan(*plain)) && design_formats::is_missing(field))
      return std::numeric_limits<double>::quiet_NaN();
    if (const auto value = plain && std::isfinite(*plain) ? plain : number(field);
        value && std::isfinite(*value))
      return decimal(*value, field, j);
    if (const auto days = day(field)) {
      found_dates_ = true;
      return *days;
    }
    if (options_) refuse(field, j);
    return reader_.number(j, label(reader_, j));
  }
  void finish() const {
    for (std::size_t j = 0; j < signs_.size(); ++j)
      if (const std::string what = open_signs(label(reader_, j), signs_[j], signs_); !what.empty())
        throw Error(ErrorKind::data, reader_.file(), what, design_formats::kDecimalRemedy);
    if (options_ && options_->dates != Dates::refuse && !found_dates_)
      throw Error(ErrorKind::usage, "dates", "is given, and no column that is used holds dates",
                  "leave it out, or write dates as 2024-03-01");
  }

 private:
  std::optional<double> number(std::string_view field) const {
    return options_ ? design_formats::number_of(field, rule_) : number_of(field);
  }
  std::optional<double> day(std::string_view field) const {
    return options_ && options_->dates != Dates::refuse ? days_of(field, options_->dates) : std::nullopt;
  }
  /// Points and commas before the decimals of one column contradict each other, unless the option chooses.
  double decimal(double value, std::string_view field, std::size_t j) {
    if (rule_.decimal != Decimal::automatic) return value;
    signs_[j].add(field);
    if (signs_[j].point && signs_[j].comma)
      reader_.fail(open_signs(label(reader_, j), signs_[j], signs_), design_formats::kDecimalRemedy);
    return value;
  }
  [[noreturn]] void refuse(std::string_view field, std::size_t j) const {
    std::string remedy = "correct the value, or leave the column out: without = " +
                         (reader_.names().empty() ? std::to_string(j + 1) : reader_.names()[j]);
    if (date_needs(field))
      remedy = "set dates = days, or day-first or month-first, for its days since 1970-01-01; or " + remedy;
    else if (const auto other = design_formats::other_decimal(field, rule_))
      remedy = *other == Decimal::automatic
                   ? design_formats::kDecimalRemedy
                   : std::string("set decimal = ") + (*other == Decimal::comma ? "comma" : "point");
    reader_.fail(label(reader_, j) + " is " + shown(field) + "; expected a number", remedy);
  }

  const FieldReader& reader_;
  Holes holes_;
  const DesignOptions* options_;
  design_formats::NumberRule rule_ = {};
  std::vector<bool> skipped_;
  std::vector<design_formats::Signs> signs_;
  bool found_dates_ = false;
};

/// A column alone is a list of values, and columns without names are those of a matrix.
void note_ids(const NamedTable& named, const Context& context) {
  const DenseTable& table = named.table;
  if (named.names.empty() || table.cols == 1) return;
  design_formats::note_ids(
      table.rows, named.names, named.names.size(),
      [&](Index i, std::span<double> row) {
        for (std::size_t j = 0; j < row.size(); ++j)
          row[j] = table.values[static_cast<std::size_t>(i) + j * static_cast<std::size_t>(table.rows)];
      },
      [&](std::size_t j) { return "column " + named.names[j]; }, context);
}

}  // namespace

NamedTable table_of_text(const std::filesystem::path& path, const TableOptions& options, Holes holes,
                         const Context& context, const DesignOptions* columns) {
  static const auto rows = table_rows();
  expect_in_range(options, rows);
  TextInput input(path);
  FieldReader reader(input, options.delimiter, options.header, 1);
  reader.note_header(context);
  NumberFields number(reader, holes, columns);
  std::vector<double> by_rows;
  NamedTable result{{}, reader.names()};
  GrowthWatch memory("the table");
  bool named = false;
  design_formats::DoubtfulHeader header(reader, options.header);
  for (bool first = true; reader.next(); first = false) {
    if (header.is_open()) header.see(context);
    memory.grown(8 * by_rows.size(), input.path().string());
    if (first) number.begin();
    const std::string_view front = reader.fields().front();
    const bool is_name = number.is_name(front);
    if (first) named = is_name && reader.width() > 1 && !reader.names().empty() && !number.is_skipped(0);
    if (named && !is_name)
      reader.fail(label(reader, 0) + " is " + shown(front) + ", and names the row in other lines, such as " +
                      shown(result.rows.front()),
                  "write a name in every row, or a number");
    if (named) result.rows.emplace_back(front);
    for (std::size_t j = named ? 1 : 0; j < reader.fields().size(); ++j)
      if (!number.is_skipped(j)) by_rows.push_back(number(j));
  }
  if (by_rows.empty())
    throw Error(ErrorKind::data, path.string(), "the file holds a header but no numbers",
                "expected lines of numbers");
  number.finish();
  std::size_t at = 0;
  std::erase_if(result.names, [&](const std::string&) { return number.is_skipped(at++); });
  result.table =
      column_major(by_rows, static_cast<Index>(reader.width() - (named ? 1 : 0)) - number.skipped());
  DenseTable& table = result.table;
  expect_no_labels(table, path.string());
  if (!named && !number.is_skipped(0) && design_formats::numbers_rows(result.names) && counts_rows(table)) {
    const auto end = table.values.begin() + table.rows;
    std::transform(table.values.begin(), end, std::back_inserter(result.rows), print_real);
    table.values.erase(table.values.begin(), end);
    table.cols -= 1;
  }
  if (result.rows.empty()) return note_ids(result, context), result;
  context.note((design_formats::numbers_rows(result.names) ? "column 1" : label(reader, 0)) +
               " names the rows");
  if (!result.names.empty()) result.names.erase(result.names.begin());
  note_ids(result, context);
  return result;
}

void write_table(const std::filesystem::path& path, const DenseTable& table,
                 const std::vector<std::string>& names) {
  expect_consistent(table, path.string());
  if (!names.empty() && static_cast<Index>(names.size()) != table.cols)
    fail_writing(path.string(), std::to_string(names.size()) + " names for " + std::to_string(table.cols) +
                                    " columns; expected none, or one each");
  TextOutput out(path);
  write_names(out, names, path.string());
  for (Index i = 0; i < table.rows; ++i)
    for (Index j = 0; j < table.cols; ++j)
      out << table.values[static_cast<std::size_t>(i + j * table.rows)] << (j + 1 < table.cols ? ',' : '\n');
  out.commit();
}

}  // namespace claros
