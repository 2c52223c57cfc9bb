// SPDX-License-Identifier: BSD-3-Clause
// Designs in text tables.
#include "io/design_formats.hpp"
#include "io/fields.hpp"

#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace claros::design_formats {
namespace {

/// How many lines hold data, the header not counted.
Index count_rows(const Path& path, const DesignOptions& options) {
  TextInput input(path);
  const FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  Index rows = 0;
  std::string_view line;
  while (input.next_filled(line)) ++rows;
  if (rows == 0)
    throw Error(ErrorKind::data, path.string(), "the file holds a header but no numbers",
                "expected lines of numbers");
  return rows;
}

/// The column of that name or number; nothing when there is none but a file of that name.
std::optional<std::size_t> response_column(const DesignOptions& options, const FieldReader& reader,
                                           const Context& context) {
  const std::string& word = options.response;
  const auto& names = reader.names();
  const std::size_t width = reader.fields().size();
  if (static_cast<Index>(width) == options.bare_columns) return std::nullopt;
  if (word == "auto" || word.empty()) return width - 1;
  const auto named = std::find(names.begin(), names.end(), word);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  const auto number = integer_of(word);
  if (number && *number >= 1 && *number <= static_cast<Index>(width))
    return static_cast<std::size_t>(*number - 1);
  if (response_is_file(options, context) || options.bare_columns > 0) return std::nullopt;
  if (number)
    throw Error(ErrorKind::usage, "response",
                "column " + word + " of a table with " + std::to_string(width) + " columns",
                "give a number from 1 to " + std::to_string(width));
  const std::string hint = did_you_mean(word, names);
  throw Error(ErrorKind::usage, "response",
              "'" + word + "' is no column of the table, and no such file exists",
              !hint.empty()   ? hint
              : names.empty() ? "the table has no header: give the number of a column, counted from 1"
                              : "its columns are " + names.front() + " to " + names.back());
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
  TableReader(FieldReader& reader, std::optional<std::size_t> response, Design& design)
      : reader_(reader), response_(response), design_(design) {}

  void row(DenseFiller& filler) {
    const auto& fields = reader_.fields();
    for (std::size_t j = 0; j < fields.size(); ++j) {
      if (j == response_)
        design_.response.push_back(response(fields[j], j));
      else
        filler.push(number(fields[j], j));
    }
  }
  void finish(const Context& context) {
    if (labels_.empty()) return;
    labels_.finish(design_);
    context.note(first_class_ + "; there are " + std::to_string(labels_.count()));
  }

 private:
  double number(std::string_view field, std::size_t j) const {
    // The name is made only for a message: this runs for every number of the file.
    const std::optional<double> value = number_of(field);
    return value && std::isfinite(*value) ? *value : reader_.number(j, name(j));
  }
  double response(std::string_view field, std::size_t j) {
    if (design_.response.empty()) {
      classes_ = !field.empty() && !number_of(field);
      if (classes_)
        first_class_ = reader_.where() + ": the responses, " + name(j) +
                       ", are taken for names of classes, for " + shown(field) + " is no number";
    }
    if (!classes_) return number(field, j);
    if (field.empty()) reader_.fail(name(j) + " is empty; expected the name of a class");
    return labels_.number(field);
  }
  std::string name(std::size_t j) const {
    const std::string number = "column " + std::to_string(j + 1);
    return reader_.names().empty() ? number : number + " (" + reader_.names()[j] + ")";
  }

  FieldReader& reader_;
  std::optional<std::size_t> response_;
  Design& design_;
  Labels labels_;
  bool classes_ = false;
  std::string first_class_;  ///< why the responses are classes
};

}  // namespace

Design read_table_design(const Path& path, const DesignOptions& options, const Context& context) {
  Design design;
  design.rows = count_rows(path, options);
  TextInput input(path);
  FieldReader reader(input, options.table.delimiter, options.table.header, 1);
  reader.note_header(context);
  if (!reader.next()) input.fail("the file changed while it was read");
  const std::size_t width = reader.fields().size();
  const std::optional<std::size_t> response = response_column(options, reader, context);
  design.cols = static_cast<Index>(width) - (response ? 1 : 0);
  if (design.cols < 1)
    throw Error(ErrorKind::data, path.string(), "the table has the response and no other column",
                "expected at least two columns");
  announce_dense(path, design.rows, design.cols, is_single(options), 1, context);
  for (std::size_t j = 0; j < reader.names().size(); ++j)
    (j == response ? design.response_name : design.column_names.emplace_back()) = reader.names()[j];
  DenseFiller filler(design, is_single(options));
  TableReader table(reader, response, design);
  do table.row(filler);
  while (reader.next());
  table.finish(context);
  return design;
}

}  // namespace claros::design_formats
