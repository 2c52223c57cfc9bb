// SPDX-License-Identifier: BSD-3-Clause
#include "responses.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace linear_model {

using namespace claros;

namespace {

/// A name of no column and no file: all columns of a table are then features.
constexpr const char* kNoResponse = "\n";

std::string without_blanks(std::string word) {
  word.erase(0, word.find_first_not_of(' '));
  word.erase(word.find_last_not_of(' ') + 1);
  return word;
}

bool is_file(const std::string& word, const Context& context) {
  std::error_code code;
  return std::filesystem::is_regular_file(context.resolve(word), code);
}

void set_responses(Design& design, Responses responses) {
  design.responses = std::make_shared<const Responses>(std::move(responses));
  design.response.resize(static_cast<std::size_t>(design.rows));
  std::iota(design.response.begin(), design.response.end(), 0.0);
  design.labels.clear(), design.response_name.clear();
}

/// A file of K numbers a row.
Responses of_file(const std::string& file, Index rows, const Context& context) {
  const auto path = context.resolve(file);
  const DenseTable table = read_numbers(path, context);
  if (table.rows != rows)
    throw Error(ErrorKind::data, path.string(),
                std::to_string(table.rows) + " rows of responses for " + std::to_string(rows) + " rows",
                "give one line a row of the data");
  Responses made{table.cols, {}};
  for (Index i = 0; i < table.rows; ++i)
    for (Index k = 0; k < table.cols; ++k)
      made.values.push_back(table.values[static_cast<std::size_t>(k * table.rows + i)]);
  return made;
}

/// Names columns of responses by the option that they come from.
Design read_named(const std::filesystem::path& path, const DesignOptions& options, const Context& context) {
  try {
    return read_design(path, options, context);
  } catch (const Error& error) {
    std::vector<Complaint> all = error.complaints();
    for (Complaint& complaint : all)
      if (complaint.where == "response" || complaint.where == "columns") complaint.where = "responses";
    throw Error(error.kind(), std::move(all));
  }
}

/// The columns of a table that are responses, read as a design of their own: the last as its response.
Responses of_columns(const std::filesystem::path& path, DesignOptions options, const std::string& names,
                     const Context& context) {
  const std::size_t comma = names.rfind(',');
  if (comma == names.npos)
    throw Error(ErrorKind::usage, "responses", "names the one column '" + names + "'",
                "give response = " + names + ", or several columns with commas between them");
  Context quiet = context;
  quiet.messages = [](Severity, const std::string&) {};
  options.columns = names.substr(0, comma);
  options.response = without_blanks(names.substr(comma + 1));
  options.weights.clear(), options.offset.clear(), options.groups.clear(), options.without.clear();
  options.categorical.clear(), options.unit_rows = false, options.precision = "double";
  options.missing = Missing::refuse;
  options.storage = "dense";
  const Design read = read_named(path, options, quiet);
  const auto count = static_cast<Index>(std::ranges::count(names, ',')) + 1;
  if (read.cols + 1 != count || !read.labels.empty())
    throw Error(ErrorKind::data, path.string(),
                "expected numbers in the " + std::to_string(count) + " columns of responses",
                "name other columns");
  Responses made{count, {}, read.column_names};
  if (!made.names.empty()) made.names.push_back(read.response_name);
  std::vector<double> row(static_cast<std::size_t>(read.cols));
  for (Index i = 0; i < read.rows; ++i) {
    read.row(i, row);
    made.values.insert(made.values.end(), row.begin(), row.end());
    made.values.push_back(read.response[static_cast<std::size_t>(i)]);
  }
  return made;
}

/// The last of these columns as the response, the others beside the design: none is a feature, also not one
/// that `columns` names.
DesignOptions without_responses(DesignOptions options, const std::string& names) {
  options.beside = std::make_shared<std::vector<ColumnBeside>>();
  std::size_t from = 0;
  for (std::size_t to; (to = names.find(',', from)) != names.npos; from = to + 1)
    options.beside->push_back({"responses", without_blanks(names.substr(from, to - from))});
  options.response = without_blanks(names.substr(from));
  return options;
}

}  // namespace

Design read_rows(const std::filesystem::path& path, const DesignOptions& options, const std::string& names,
                 const Context& context) {
  if (names.empty()) return read_design(path, options, context);
  if (is_file(names, context)) {
    DesignOptions of_rows = options;
    of_rows.response = kNoResponse;
    of_rows.bare_columns = 1;
    Design design = read_design(path, of_rows, context);
    set_responses(design, of_file(names, design.rows, context));
    return design;
  }
  Responses responses = of_columns(path, options, names, context);
  Design design = read_design(path, without_responses(options, names), context);
  if (responses.rows() != design.rows)
    throw Error(ErrorKind::data, path.string(),
                std::to_string(responses.rows()) + " rows have responses, and " +
                    std::to_string(design.rows) + " have all columns",
                "fill in the missing values, or give missing = refuse");
  set_responses(design, std::move(responses));
  return design;
}

std::shared_ptr<const Design> with_responses(std::shared_ptr<const Design> design, const std::string& names,
                                             const Context& context) {
  if (names.empty()) return design;
  if (!is_file(names, context))
    throw Error(ErrorKind::usage, "responses",
                "'" + names + "' is not a file, and the rows are those of [data]",
                "give a file of one line a row, or objective.data");
  Design copy = *design;
  set_responses(copy, of_file(names, copy.rows, context));
  return std::make_shared<const Design>(std::move(copy));
}

std::vector<std::string> names_of(const Responses& responses) {
  if (!responses.names.empty()) return responses.names;
  std::vector<std::string> names;
  for (Index k = 1; k <= responses.count; ++k) names.push_back(std::to_string(k));
  return names;
}

std::vector<double> largest_responses(const Design& design) {
  const auto& all = design.responses->values;
  const auto K = static_cast<std::size_t>(design.responses->count);
  std::vector<double> largest;
  for (const double row : design.response) {
    double most = 0.0;
    for (std::size_t k = 0; k < K; ++k)
      most = std::max(most, std::abs(all[static_cast<std::size_t>(row) * K + k]));
    largest.push_back(most);
  }
  return largest;
}

}  // namespace linear_model
