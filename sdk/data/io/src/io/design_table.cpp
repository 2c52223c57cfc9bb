// SPDX-License-Identifier: BSD-3-Clause
// Designs in text tables.
#include <claros/io/fields.hpp>
#include "io/dates.hpp"
#include "io/design_formats.hpp"
#include "io/table_notes.hpp"
#include "io/table_plan.hpp"

#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace claros::design_formats {
namespace {

/// How many lines hold data, the header not counted. Notes a first line of data that may be a header.
Index count_rows(const Path& path, const DesignOptions& options, const Context& context) {
  TextInput input(path);
  FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  Index rows = 0;
  DoubtfulHeader header(reader, options.table.header);
  for (; header.is_open() && reader.next(); ++rows) header.see(context);
  while (reader.skip()) ++rows;
  if (rows == 0)
    throw Error(ErrorKind::data, path.string(), "the file holds a header but no numbers",
                "expected lines of numbers");
  return rows;
}

/// Classes in the order of their first appearance, until they are sorted at the end.
class Labels {
 public:
  double number(std::string_view text) {
    return static_cast<double>(index_.try_emplace(std::string(text), index_.size()).first->second);
  }
  /// Names in alphabetical order, and the responses renumbered.
  void finish(Design& design) const {
    std::vector<double> rank(index_.size());
    for (const auto& [name, first] : index_) {
      rank[first] = static_cast<double>(design.labels.size());
      design.labels.push_back(name);
    }
    for (double& y : design.response) y = rank[static_cast<std::size_t>(y)];
  }
  bool empty() const { return index_.empty(); }
  std::size_t count() const { return index_.size(); }

 private:
  std::map<std::string, std::size_t> index_;
};

class TableReader {
 public:
  TableReader(FieldReader& reader, const TablePlan& plan, Design& design, std::vector<ColumnBeside>* beside)
      : reader_(reader),
        plan_(plan),
        design_(design),
        beside_(beside),
        response_(plan.roles.place(Role::response)),
        weight_(plan.roles.place(Role::weight)),
        offset_(plan.roles.place(Role::offset)),
        group_(plan.roles.place(Role::group)),
        signs_(plan.roles.of.size()),
        units_(plan.roles.of.size()) {
    for (std::size_t k = 0; k < plan.place.size(); ++k) {
      signs_[plan.place[k]].settled = plan.encoding->columns[k].comma;
      units_[plan.place[k]] = plan.encoding->columns[k].unit;
    }
    names_.resize(plan.roles.beside.size());
    for (std::size_t k = 0; k < names_.size(); ++k) (*beside_)[k].numbers.clear();
  }

  /// False if the plan is plain, and a feature is not a finite number, or another number has another form.
  bool row(DenseFiller& filler) {
    const auto& fields = reader_.fields();
    const auto is_other = [&](std::size_t j) {
      return !claros::number_of(fields[j]) && looks_like_number(fields[j]);
    };
    if (plan_.plain) {
      for (const auto& place : {response_, weight_, offset_})
        if (place && is_other(*place)) return false;
      for (const std::size_t j : plan_.roles.beside)
        if (!plan_.roles.categorical[j] && is_other(j)) return false;
    }
    if (plan_.drops && plan_.roles.is_missing_in(fields)) return true;
    counts_ = !weight_ || number_of(fields[*weight_], plan_.rule) != 0.0;
    for (std::size_t k = 0; k < plan_.place.size(); ++k) {
      const std::size_t j = plan_.place[k];
      if (plan_.plain) {
        const std::optional<double> value = claros::number_of(fields[j]);
        if (!value || !std::isfinite(*value)) return false;
        filler.push(*value);
      } else {
        feature(plan_.encoding->columns[k], fields[j], j, filler);
      }
    }
    if (response_) design_.response.push_back(response(fields[*response_], *response_));
    if (weight_) design_.weights.push_back(number_of_row(fields[*weight_], *weight_));
    if (offset_) design_.offset.push_back(number_of_row(fields[*offset_], *offset_));
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const std::size_t j = plan_.roles.beside[k];
      (*beside_)[k].numbers.push_back((*beside_)[k].names ? number_of_name(fields[j], j, names_[k])
                                                          : truth_or_number(fields[j], j));
    }
    if (group_)
      design_.groups.push_back(
          groups_.try_emplace(std::string(fields[*group_]), static_cast<Index>(groups_.size()))
              .first->second);
    return true;
  }
  void finish(const Context& context) {
    for (std::size_t j = 0; j < signs_.size(); ++j)
      if (const std::string what = open_signs(name(j), signs_[j], signs_); !what.empty())
        throw Error(ErrorKind::data, reader_.file(), what, "train with decimal = point or decimal = comma");
    if (labels_.empty()) return;
    if (!has_names_)
      throw Error(ErrorKind::data, first_place_,
                  name(*response_) + ", the response, is " + first_class_ +
                      "; expected a finite number, as in other rows",
                  "fix it, or remove the row");
    labels_.finish(design_);
    context.note(first_place_ + ": the responses, " + name(*response_) +
                 ", are taken for names of classes, for " + first_class_ + " is not a number; there are " +
                 std::to_string(labels_.count()));
  }

 private:
  using Role = TableRoles::Role;

  void feature(const TableEncoding::Column& column, std::string_view field, std::size_t j,
               DenseFiller& filler) {
    if (!column.levels.empty()) return category(column, field, j, filler);
    const bool missing = is_missing(field);
    if (missing && std::isnan(column.fill)) refuse_missing(field, j);
    filler.push(missing ? column.fill : column.date ? days(field, j) : number(field, j));
    if (column.indicator) filler.push(missing ? 1.0 : 0.0);
  }
  void category(const TableEncoding::Column& column, std::string_view field, std::size_t j,
                DenseFiller& filler) {
    auto level = std::find(column.levels.begin(), column.levels.end(), field);
    if (level == column.levels.end() && is_missing(field)) {
      if (column.fill_level.empty()) refuse_missing(field, j);
      level = std::find(column.levels.begin(), column.levels.end(), column.fill_level);
    }
    if (!counts_ && level == column.levels.end()) level = column.levels.begin();  // no row of a model
    if (level == column.levels.end())
      reader_.fail(name(j) + " is " + shown(field) +
                       ", a category that the training data did not have; it had " + joined(column.levels),
                   "remove the row, or train with rows of that category");
    for (auto each = column.levels.begin() + (plan_.encoding->reference ? 1 : 0); each != column.levels.end();
         ++each)
      filler.push(each == level ? 1.0 : 0.0);
  }
  [[noreturn]] void refuse_missing(std::string_view field, std::size_t j) const {
    reader_.fail(name(j) + (field.empty() ? " is empty" : " is " + shown(field)) +
                     ": a missing value, which the training did not fill in",
                 "remove the row, or train with missing = mean, median or indicator");
  }
  double days(std::string_view field, std::size_t j) const {
    if (const auto days = days_of(field, plan_.dates)) return *days;
    reader_.fail(name(j) + " is " + shown(field) + "; expected a date, as in other rows or in the training",
                 "write it as 2024-03-01 or 2024-03-01T12:30, or as in the training");
  }
  double number_of_name(std::string_view field, std::size_t j, std::map<std::string, Index>& known) {
    if (plan_.roles.is_missing_at(j, field)) refuse_missing_of_row(field, j);
    return static_cast<double>(
        known.try_emplace(std::string(field), static_cast<Index>(known.size())).first->second);
  }
  /// 1 and 0 for the words of yes and no that R and pandas write.
  double truth_or_number(std::string_view field, std::size_t j) {
    static const std::set<std::string_view> yes{"TRUE", "True", "true"}, no{"FALSE", "False", "false"};
    return yes.contains(field) ? 1.0 : no.contains(field) ? 0.0 : number_of_row(field, j);
  }
  /// A number in a column that is never filled in.
  double number_of_row(std::string_view field, std::size_t j) {
    if (is_missing(field)) refuse_missing_of_row(field, j);
    return number(field, j);
  }
  [[noreturn]] void refuse_missing_of_row(std::string_view field, std::size_t j) const {
    reader_.fail(name(j) + (field.empty() ? " is empty" : " is " + shown(field)) +
                     ": a missing value, which is never filled in",
                 "fix it, or remove the row: missing = drop does so in training");
  }
  double number(std::string_view field, std::size_t j) {
    if (plan_.trained && !plan_.rule.chosen) signs_[j].add(field);
    const std::optional<double> value = number_of(field, plan_.rule);
    if (!value) return reader_.number(j, name(j));
    const std::string unit = claros::number_of(field) ? "" : written_number(field, plan_.rule)->unit;
    if (units_[j].value_or(unit) != unit)
      reader_.fail(name(j) + " is " + shown(field) + ", and has " +
                       (units_[j]->empty() ? "no unit" : "the unit " + *units_[j]) +
                       " in rows before or in the training",
                   "write all of it in that unit");
    units_[j] = unit;
    return *value;
  }
  double response(std::string_view field, std::size_t j) {
    if (design_.response.empty()) {
      const bool no_number = field.empty() || field == "nan" || field == "NaN";  // which no class is called
      classes_ = !no_number && !number_of(field, plan_.rule);
      first_place_ = reader_.where();
      first_class_ = shown(field);
    }
    if (!classes_) return number_of_row(field, j);
    if (field.empty()) refuse_missing_of_row(field, j);
    has_names_ =
        has_names_ || !(is_missing(field) || claros::number_of(field) || number_of(field, plan_.rule));
    return labels_.number(field);
  }
  std::string name(std::size_t j) const { return column_name(reader_, j); }

  FieldReader& reader_;
  const TablePlan& plan_;
  Design& design_;
  std::vector<ColumnBeside>* beside_;
  std::vector<std::map<std::string, Index>> names_;  ///< one map for each column beside the design
  std::optional<std::size_t> response_, weight_, offset_, group_;
  std::map<std::string, Index> groups_;
  Labels labels_;
  std::vector<Signs> signs_;                       ///< of rows to predict
  std::vector<std::optional<std::string>> units_;  ///< the unit of each column, once it is known
  bool counts_ = true;                             ///< false in a row of weight 0
  bool classes_ = false;
  bool has_names_ = false;                 ///< true if a class is neither a number nor a missing value
  std::string first_place_, first_class_;  ///< of the first response
};

/// Rows to predict find a column by its name, so that no other one may have it.
void expect_one_of_each_name(const TablePlan& plan, const FieldReader& reader) {
  const auto is_used = [&](std::size_t j) { return std::ranges::find(plan.place, j) != plan.place.end(); };
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t j = 0; j < reader.names().size(); ++j) {
    const auto [at, is_new] = known.try_emplace(reader.names()[j], j);
    if (is_new || !(is_used(j) || is_used(at->second))) continue;
    const std::string both = std::to_string(at->second + 1) + "," + std::to_string(j + 1);
    throw Error(ErrorKind::data, reader.header_place(),
                "columns " + both + " are both called " + shown(at->first) +
                    ", the name by which rows to predict find one",
                "rename one, or leave out both (without = " + both + ")" +
                    (reader.header_is_guess() ? ", or set header = no if the line is data" : ""));
  }
}

/// The rows by the plan; nothing if that is plain and does not fit.
std::optional<Design> read_by(const TablePlan& plan, const Path& path, const DesignOptions& options,
                              const Context& context) {
  TextInput input(path);
  FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  if (!reader.next()) input.fail("the file changed while it was read");
  const auto is_number = [&](std::size_t j) {
    const auto value = claros::number_of(reader.fields()[j]);
    return value && std::isfinite(*value);
  };
  if (plan.plain && !std::ranges::all_of(plan.place, is_number)) return std::nullopt;  // known before memory
  const auto response = plan.roles.place(TableRoles::Role::response);
  if (plan.plain && response && !is_number(*response) && looks_like_number(reader.fields()[*response]))
    return std::nullopt;
  expect_one_of_each_name(plan, reader);
  Design design;
  design.rows = plan.rows;
  for (const auto& column : plan.encoding->columns) design.cols += plan.encoding->size(column);
  if (design.cols < 1)
    throw Error(ErrorKind::data, path.string(), "the table has the response and no other column",
                "expected at least two columns");
  if (!reader.names().empty() || !plan.plain) design.column_names = plan.encoding->names();
  if (response && !reader.names().empty()) design.response_name = reader.names()[*response];
  announce_dense(path, design.rows, design.cols, is_single(options), 1, context);
  DenseFiller filler(design, is_single(options));
  TableReader table(reader, plan, design, options.beside.get());
  do
    if (!table.row(filler)) return std::nullopt;
  while (reader.next());
  table.finish(context);
  if (!plan.plain || plan.roles.chosen) design.encoding = plan.encoding;
  return design;
}

/// pandas and R write the numbers or the names of rows as a first column without a name. If its fields are
/// whole numbers or texts, each another one, it is left out.
void leave_out_row_names(TableRoles& roles, FieldReader& reader, const DesignOptions& options,
                         const Context& context) {
  if (!numbers_rows(reader.names()) || roles.of.front() != TableRoles::Role::feature ||
      roles.categorical.front() || !options.columns.empty() ||
      std::ranges::count(roles.of, TableRoles::Role::feature) <= options.bare_columns)
    return;
  std::unordered_set<std::string> seen;
  bool numbers = true;
  do {
    const std::string_view field = reader.fields().front();
    const auto number = claros::number_of(field);
    numbers = numbers && number;
    if ((number && *number != std::floor(*number)) || !seen.emplace(field).second) return;
  } while (reader.next());
  roles.of.front() = TableRoles::Role::ignored;
  roles.chosen = true;
  context.note("column 1 has no name and " + std::string(numbers ? "numbers" : "names") +
               " the rows, so it is left out (objective.columns names it to keep it)");
}

}  // namespace

Design read_table_design(const Path& path, const DesignOptions& options, const Context& context) {
  const Index rows = count_rows(path, options, context);
  TextInput input(path);
  FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  reader.note_header(context);
  if (!reader.next()) input.fail("the file changed while it was read");
  if (options.encoding)
    return *read_by(trained_plan(path, options, reader, rows, context), path, options, context);
  TableRoles roles(options, reader, context);
  leave_out_row_names(roles, reader, options, context);
  if (roles.last_is_response && reader.fields().size() > 1)
    context.note("the response is " + column_name(reader, *roles.place(TableRoles::Role::response)) +
                 ", the last that is not used otherwise");
  const bool simple = options.missing == Missing::refuse && options.categorical.empty() &&
                      options.decimal != Decimal::comma && options.dates == Dates::refuse;
  std::optional<Design> design;
  if (simple) design = read_by(plain_plan(roles, reader, rows), path, options, context);
  if (!design)
    design = read_by(surveyed_plan(path, std::move(roles), options, context), path, options, context);
  note_ids(
      design->rows, design->column_names, static_cast<std::size_t>(design->cols),
      [&](Index i, std::span<double> row) { design->row(i, row); },
      [&](std::size_t j) { return design->column_text(static_cast<Index>(j)); }, context);
  return *std::move(design);
}

std::string place_in_table(const Path& path, const DesignOptions& options, Index row,
                           const Context& context) {
  TextInput input(path);
  FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  if (!reader.next()) return path.string();
  const bool drops = options.missing == Missing::drop && !options.encoding;
  std::optional<TableRoles> roles;
  if (drops) roles.emplace(options, reader, context).leave_out_empty(path, options, {});
  do
    if ((!roles || !roles->is_missing_in(reader.fields())) && row-- == 0) break;
  while (reader.next());
  return reader.where();
}

}  // namespace claros::design_formats
