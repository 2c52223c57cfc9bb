// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>
#include <claros/json_text.hpp>
#include <claros/plugin/catalog.hpp>

#include <algorithm>

#include "catalogue/commands.hpp"
#include "catalogue/markdown_page.hpp"
#include "catalogue/named_component.hpp"
#include "cli/messages.hpp"
#include "cli/parameter_text.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

std::string parameter_table(const ParameterList& parameters, std::size_t width) {
  std::size_t column = 0;
  for (const ParameterInfo& p : parameters.rows()) column = std::max(column, p.name.size() + 2);
  std::string table;
  for (const ParameterInfo& p : parameters.rows()) {
    std::string facts = domain(p) + (p.range.required ? "; required" : "; default " + default_text(p));
    if (!p.symbol.empty()) facts += "; symbol " + p.symbol;
    table += row(p.name, facts, 2, column, width) +
             wrapped(p.meaning + (p.range.required ? "; " + p.range.advice : ""), 2 + column, width);
  }
  return table.empty() ? "  none\n" : table;
}

std::string role_table(const ParameterList& parameters, std::size_t width) {
  std::size_t column = 0;
  for (const Role& r : parameters.roles()) column = std::max(column, r.name.size() + 2);
  std::string table;
  for (const Role& r : parameters.roles())
    table += row(r.name, domain(r), 2, column, width) + wrapped(r.meaning, 2 + column, width);
  return table;
}

Json roles_json(const ParameterList& parameters) {
  Json rows = Json::array();
  for (const Role& r : parameters.roles())
    rows.push_back({{"name", r.name},
                    {"kind", kind_name(r.kind)},
                    {"meaning", r.meaning},
                    {"default", r.fallback},
                    {"required", r.required},
                    {"list", r.many}});
  return rows;
}

Json parameters_json(const ParameterList& parameters) {
  Json rows = Json::array();
  for (const ParameterInfo& p : parameters.rows())
    rows.push_back({{"name", p.name},
                    {"type", p.type},
                    {"range", p.range.words},
                    {"choices", p.range.choices},
                    {"required", p.range.required},
                    {"fraction_of_max", p.range.of_max},
                    {"default", p.range.required ? Json(nullptr) : Json(p.fallback)},
                    {"advice", p.range.advice},
                    {"meaning", p.meaning},
                    {"symbol", p.symbol}});
  return rows;
}

std::string heading(const std::string& title) { return '\n' + out().bold(title) + '\n'; }

std::string component_page(const PluginEntry& e) {
  const std::size_t width = out().width();
  std::string also;
  for (const std::string& alias : e.aliases) also += (also.empty() ? " (also " : ", ") + alias;
  std::string page = out().bold(e.label()) + ' ' + e.version + also + (also.empty() ? "\n" : ")\n");
  page += wrapped(e.summary, 2, width);
  if (!e.guidance.empty()) page += heading("when to use it") + wrapped(e.guidance, 2, width);
  if (!e.specification.empty()) page += heading("try it") + run_command(e.specification, "  ", width);
  page += heading("mathematics") + wrapped(e.description, 2, width);
  if (!e.citation.empty()) page += heading("source") + wrapped(e.citation, 2, width);
  page += heading("file") + "  " + (e.path.empty() ? "this program" : printable(e.path.string())) + '\n';
  page += heading("parameters") + parameter_table(e.parameters(), width);
  if (!e.parameters().roles().empty()) page += heading("parts") + role_table(e.parameters(), width);
  return page + heading("section") + example(kind_name(e.kind), e.name, e.parameters(), "  ");
}

Json component_json(const PluginEntry& e) {
  return {{"kind", kind_name(e.kind)},
          {"name", e.name},
          {"aliases", e.aliases},
          {"version", e.version},
          {"summary", e.summary},
          {"description", e.description},
          {"citation", e.citation},
          {"guidance", e.guidance},
          {"specification", e.specification},
          {"file", e.path.string()},
          {"parameters", parameters_json(e.parameters())},
          {"parts", roles_json(e.parameters())},
          {"example", example(kind_name(e.kind), e.name, e.parameters(), "")}};
}

std::string section_page(const BuiltInSection& section) {
  const std::size_t width = out().width();
  return out().bold('[' + section.name + ']') + '\n' + wrapped(section.summary, 2, width) +
         heading("parameters") + parameter_table(*section.parameters, width) + heading("section") +
         example(section.name, "", *section.parameters, "  ");
}

Json section_json(const BuiltInSection& section) {
  return {{"section", section.name},
          {"summary", section.summary},
          {"parameters", parameters_json(*section.parameters)},
          {"example", example(section.name, "", *section.parameters, "")}};
}

/// The page of a role: which components can play it.
std::string kind_page(const Catalog& catalog, Kind kind) {
  const std::string role = kind_name(kind);
  std::string page =
      out().bold('[' + role + ']') + '\n' +
      wrapped("names one component, " + role + ".use = NAME, and sets its parameters", 2, out().width()) +
      heading("components");
  for (const std::string& name : catalog.names(kind)) page += "  " + name + '\n';
  return catalog.names(kind).empty() ? page + "  none\n" : page;
}

template <class Page, class Markdown>
std::string page_of(const Arguments& arguments, const Page& subject, std::string (*text)(const Page&),
                    Json (*json)(const Page&), const Markdown& markdown) {
  if (arguments.has("markdown")) return markdown();
  return arguments.has("json") ? json_text(json(subject)) : text(subject);
}

/// One page, or those of all components of that name.
std::string pages_of(const Arguments& arguments, const Catalog& catalog,
                     const std::vector<const PluginEntry*>& found) {
  if (found.size() > 1 && arguments.has("json")) {
    Json pages = Json::array();
    for (const PluginEntry* e : found) pages.push_back(component_json(*e));
    return json_text(pages);
  }
  std::string pages;
  for (const PluginEntry* e : found)
    pages += (pages.empty() ? "" : "\n") + page_of(arguments, *e, component_page, component_json,
                                                   [&] { return markdown_page(catalog, *e); });
  return pages;
}

void check_options(const Arguments& arguments) {
  const bool markdown = arguments.has("markdown"), named = !arguments.words().empty();
  const std::string remedy = "write claros describe NAME, or claros describe --markdown --out DIR";
  std::vector<Complaint> complaints;
  if (markdown && arguments.has("json"))
    complaints.push_back({"--markdown", "cannot be combined with --json", "give one of them"});
  if (arguments.has("out") && (!markdown || named))
    complaints.push_back({"--out", "is for the Markdown pages of all components only", remedy});
  if (!arguments.has("out") && !named) complaints.push_back({"describe", "needs a NAME", remedy});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

}  // namespace

std::string description_of(const Arguments& arguments, const Catalog& catalog, const std::string& name) {
  if (const auto found = components_named(catalog, name); !found.empty())
    return pages_of(arguments, catalog, found);
  for (const BuiltInSection& section : built_in_sections())
    if (section.name == name)
      return page_of(arguments, section, section_page, section_json, [&] { return markdown_page(section); });
  const auto kind = parse_kind(name);
  if (!kind) return {};
  if (arguments.has("markdown"))
    throw Error(ErrorKind::usage, '[' + name + ']', "is a role, which has no page in Markdown",
                "write claros describe NAME --markdown with one of " + joined(catalog.names(*kind)));
  return arguments.has("json") ? json_text({{"section", name}, {"components", catalog.names(*kind)}})
                               : kind_page(catalog, *kind);
}

int describe_command(const Arguments& arguments) {
  check_options(arguments);
  Catalog catalog = open_catalog(arguments);
  if (const auto folder = arguments.get("out")) {
    catalog.load_all();  // in one child
    write_markdown_pages(catalog, *folder);
    return kDone;
  }
  const std::string& name = arguments.words().front();
  const std::string page = description_of(arguments, catalog, name);
  if (page.empty()) nothing_named(catalog, name, true);
  out().write(page);
  return kDone;
}

}  // namespace claros::cli
