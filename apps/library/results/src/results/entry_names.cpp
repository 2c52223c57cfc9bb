// SPDX-License-Identifier: BSD-3-Clause
// The names of the entries of a solution, from the files that its specification names.
#include <claros/results/coefficients.hpp>

#include <claros/dataset.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/variable_names.hpp>
#include <claros/parameters.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace claros {

namespace {

std::string arc(double from, double to) { return fmt::format("{:g} -> {:g}", from, to); }

/// The arcs of "1 2; 1 3", or of the rows of a file.
std::vector<std::string> arcs_written(const std::string& graph, const Context& context) {
  std::vector<std::string> names;
  if (graph.find(';') == graph.npos) {
    const DenseTable table = read_numbers(context.resolve(graph), context);
    for (std::size_t i = 0; table.cols >= 2 && i < static_cast<std::size_t>(table.rows); ++i)
      names.push_back(arc(table.values[i], table.values[static_cast<std::size_t>(table.rows) + i]));
    return names;
  }
  std::istringstream arcs(graph);
  for (std::string text; std::getline(arcs, text, ';');) {
    std::ranges::replace(text, ',', ' ');
    std::istringstream ends(text);
    std::string from, to;
    if (ends >> from >> to) names.push_back(arc(parse_real(from), parse_real(to)));
  }
  return names;
}

/// "a -> b" of each arc, where the set is a flow.
std::vector<std::string> arcs_of(const Spec& spec, const Context& context) {
  const auto use = spec.get("set", "use"), graph = spec.get("set", "graph");
  if (!use || use->value != "flow" || !graph) return {};
  try {
    return arcs_written(graph->value, context);
  } catch (const Error&) {  // the file of the graph is gone: its arcs have numbers
    return {};
  }
}

/// True if both sides of the square variable are the columns of the data, as for a covariance.
bool is_of_columns(const Spec& spec, Index rows, Index cols, Index data_rows) {
  const auto use = spec.get("objective", "use");
  return rows == cols &&
         (data_rows != rows || (use && (use->value == "covariance" || use->value == "log-det")));
}

}  // namespace

EntryNames entry_names(const Spec& spec, Index rows, Index cols) {
  Context context;
  context.base = spec.base();
  if (auto arcs = arcs_of(spec, context); cols == 1 && static_cast<Index>(arcs.size()) == rows)
    return {std::move(arcs), {}};
  const auto data = spec.get("objective", "data");
  if (!data || data->value.empty()) return {};
  DesignOptions options;
  static const auto rows_of_options = matrix_rows();
  for (const auto& row : rows_of_options)
    if (const auto set = spec.get("objective", row.info.name)) row.assign(options, set->value);
  const NamedTable found = names_in_table(context.resolve(data->value), options);
  const auto count = [](const std::vector<std::string>& names) { return static_cast<Index>(names.size()); };
  if (cols == 1) {  // of the variables of rows, or of a row or column itself
    if (count(found.names) == rows) return {found.names, {}};
    return count(found.rows) == rows ? EntryNames{found.rows, {}} : EntryNames{};
  }
  EntryNames names;
  if (count(found.names) == cols) names.cols = found.names;
  if (count(found.rows) == rows && found.table.cols == cols)
    names.rows = found.rows;
  else if (is_of_columns(spec, rows, cols, found.table.rows))
    names.rows = names.cols;
  return names;
}

EntryNames entry_names(const Composition& composition, const Shape& shape) {
  const auto fit = [](const std::vector<std::string>& names, Index count) {
    return static_cast<Index>(names.size()) == count;
  };
  if (auto* program = composition.set ? query<VariableNames>(*composition.set) : nullptr)
    if (shape.cols == 1 && fit(program->variable_names(), shape.rows)) return {program->variable_names(), {}};
  const auto memory = composition.context.data ? composition.context.data->design() : nullptr;
  if (!memory || memory->column_names.empty())
    return entry_names(composition.effective, shape.rows, shape.cols);
  const std::vector<std::string>& names = memory->column_names;
  if (shape.cols == 1) return fit(names, shape.rows) ? EntryNames{names, {}} : EntryNames{};
  if (!fit(names, shape.cols)) return {};
  const bool of_columns = is_of_columns(composition.effective, shape.rows, shape.cols, memory->rows);
  return {of_columns ? names : std::vector<std::string>(), names};
}

}  // namespace claros
