// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/memory_file.hpp>
#include <claros/kind.hpp>

#include "request.hpp"

#include <pybind11/stl.h>

namespace claros::python {

namespace {

using namespace py::literals;

std::string name_of_state(PluginState state) {
  return state == PluginState::usable ? "usable" : state == PluginState::shadowed ? "shadowed" : "broken";
}

py::list parameters_of(const ParameterList& parameters) {
  py::list rows;
  for (const ParameterInfo& info : parameters.rows())
    rows.append(py::dict("name"_a = info.name, "type"_a = info.type, "range"_a = info.range.words,
                         "choices"_a = info.range.choices, "default"_a = info.fallback,
                         "symbol"_a = info.symbol, "meaning"_a = info.meaning));
  return rows;
}

py::list roles_of(const ParameterList& parameters) {
  py::list rows;
  for (const Role& role : parameters.roles())
    rows.append(py::dict("name"_a = role.name, "kind"_a = kind_name(role.kind), "meaning"_a = role.meaning,
                         "default"_a = role.fallback, "required"_a = role.required, "many"_a = role.many));
  return rows;
}

py::dict row_of(const PluginEntry& entry) {
  return py::dict("kind"_a = kind_name(entry.kind), "name"_a = entry.name, "aliases"_a = entry.aliases,
                  "version"_a = entry.version, "summary"_a = entry.summary,
                  "state"_a = name_of_state(entry.state), "path"_a = entry.path.string());
}

py::dict page_of(const PluginEntry& entry) {
  py::dict page = row_of(entry);
  page["description"] = entry.description;
  page["citation"] = entry.citation;
  page["guidance"] = entry.guidance;
  page["specification"] = entry.specification;
  page["parameters"] = parameters_of(entry.parameters());
  page["roles"] = roles_of(entry.parameters());
  return page;
}

py::dict page_of(const BuiltInSection& section) {
  return py::dict("kind"_a = "section", "name"_a = section.name, "aliases"_a = py::list(), "version"_a = "",
                  "summary"_a = section.summary, "description"_a = section.summary, "citation"_a = "",
                  "guidance"_a = "", "specification"_a = "",
                  "parameters"_a = parameters_of(*section.parameters), "roles"_a = py::list());
}

/// "kind/name", or a name that one kind alone has.
const PluginEntry* entry_named(const std::string& name, std::vector<std::string>& labels) {
  const std::size_t slash = name.find('/');
  std::vector<const PluginEntry*> found;
  for (const Kind kind : kKinds) {
    if (slash != std::string::npos && kind_name(kind) != name.substr(0, slash)) continue;
    if (const auto* entry = catalog().find(kind, name.substr(slash == std::string::npos ? 0 : slash + 1)))
      found.push_back(entry);
  }
  for (const auto* entry : found) labels.push_back(entry->label());
  return found.size() == 1 ? found.front() : nullptr;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Kind kind : kKinds)
    for (const std::string& name : catalog().names(kind)) names.push_back(name);
  for (const BuiltInSection& section : built_in_sections()) names.push_back(section.name);
  return names;
}

std::shared_ptr<const TableEncoding> encoding_of(const py::tuple& facts) {
  auto encoding = std::make_shared<TableEncoding>();
  using Texts = std::vector<std::string>;
  for (const auto& one : facts[0]) {
    const auto c = py::cast<py::tuple>(one);
    encoding->columns.push_back({c[0].cast<std::string>(), c[1].cast<Index>(), c[2].cast<Texts>(),
                                 c[3].cast<double>(), c[4].cast<std::string>(), c[5].cast<bool>(),
                                 c[6].cast<bool>(), c.size() > 7 && c[7].cast<bool>(),
                                 c.size() > 8 ? c[8].cast<std::optional<std::string>>() : std::nullopt});
  }
  encoding->ignored = facts[1].cast<Texts>();
  encoding->width = facts[2].cast<Index>();
  encoding->reference = facts[3].cast<bool>();
  return encoding;
}

}  // namespace

py::object facts_of(const std::shared_ptr<const TableEncoding>& encoding) {
  if (!encoding) return py::none();
  py::list columns;
  for (const auto& c : encoding->columns)
    columns.append(py::make_tuple(c.name, c.place, c.levels, c.fill, c.fill_level, c.indicator, c.date,
                                  c.comma, c.unit));
  return py::make_tuple(columns, encoding->ignored, encoding->width, encoding->reference);
}

py::tuple read_frame(const std::string& text, Index width, const std::map<std::string, std::string>& words,
                     const py::object& record) {
  const MemoryFile file("table", text);
  DesignOptions options;
  options.format = "table";
  options.storage = "dense";
  options.bare_columns = width;
  const auto rows = design_rows();
  for (const auto& row : rows)
    if (const auto word = words.find(row.info.name); word != words.end()) row.assign(options, word->second);
  options.table = {"semicolon", "yes"};
  if (!record.is_none()) options.encoding = encoding_of(record);
  std::vector<std::string> notes;
  Context context;
  context.messages = [&](Severity, const std::string& note) { notes.push_back(note); };
  const Design design = read_design(file.name(), options, context);
  py::array_t<double> numbers({design.rows, design.cols});
  for (Index i = 0; i < design.rows; ++i)
    design.row(i, std::span(numbers.mutable_data(i), static_cast<std::size_t>(design.cols)));
  return py::make_tuple(numbers, design.column_names,
                        facts_of(design.encoding ? design.encoding : options.encoding), notes);
}

py::list component_tables() {
  py::list rows;
  for (const PluginEntry& entry : catalog().entries()) rows.append(row_of(entry));
  return rows;
}

py::dict component_table(const std::string& name) {
  std::vector<std::string> labels;
  if (const PluginEntry* entry = entry_named(name, labels)) return page_of(*entry);
  if (labels.size() > 1)
    throw Error(ErrorKind::usage, name, "several components have this name: " + joined(labels),
                "write one of them");
  for (const BuiltInSection& section : built_in_sections())
    if (section.name == name) return page_of(section);
  throw Error(ErrorKind::usage, name, "is neither a component nor a section",
              did_you_mean(name, all_names()));
}

}  // namespace claros::python
