// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/markdown_page.hpp"

#include <claros/io/atomic_file.hpp>

#include <cctype>
#include <system_error>

#include "catalogue/component_abilities.hpp"
#include "catalogue/composition_pages.hpp"
#include "cli/parameter_text.hpp"

namespace claros::cli {

namespace {

constexpr std::size_t kPageWidth = 110;

std::string code(const std::string& text) { return text.empty() ? "" : '`' + text + '`'; }

std::string titled(const std::string& title) { return "\n## " + title + "\n\n"; }

std::string parameter_table(const ParameterList& parameters) {
  if (parameters.rows().empty()) return "None.\n";
  std::string table = "| parameter | type and range | default | symbol | meaning |\n|---|---|---|---|---|\n";
  for (const ParameterInfo& p : parameters.rows())
    table += "| " + code(p.name) + " | " + escaped(domain(p)) + " | " +
             (p.range.required ? "required" : code(p.fallback)) + " | " + escaped(p.symbol) + " | " +
             escaped(p.meaning + (p.range.required ? "; " + p.range.advice : "")) + " |\n";
  return table;
}

std::string role_table(const ParameterList& parameters) {
  if (parameters.roles().empty()) return "";
  std::string table = titled("Parts") + "| part | what fills it | meaning |\n|---|---|---|\n";
  for (const Role& r : parameters.roles())
    table += "| " + code(r.name) + " | " + escaped(domain(r)) + " | " + escaped(r.meaning) + " |\n";
  return table;
}

std::string example_block(const std::string& section, const std::string& use,
                          const ParameterList& parameters) {
  return titled("Section") + "```ini\n" + example(section, use, parameters, "") + "```\n";
}

std::string abilities_text(const Catalog& catalog, const PluginEntry& entry) {
  const auto abilities = abilities_of(catalog, entry);
  if (!abilities || (abilities->offered.empty() && abilities->needed.empty())) return "";
  std::string text = titled("Abilities");
  if (!abilities->offered.empty()) text += "Offers, with the defaults: " + joined(abilities->offered) + ".\n";
  for (const Need& need : abilities->needed)
    text += "\nNeeds of the " + kind_name(need.role) + (need.if_any ? ", where there is one: " : ": ") +
            need.words + (need.reason.empty() ? "" : " (" + escaped(need.reason) + ")") + ".\n";
  return text;
}

std::string file_name(const PluginEntry& e) { return kind_name(e.kind) + '-' + e.name + ".md"; }

std::string index_row(const std::string& name, const std::string& file, const std::string& summary) {
  return "| [" + name + "](" + file + ") | " + escaped(summary) + " |\n";
}

std::string index_page(const Catalog& catalog) {
  std::string page =
      "# Components\n\nEverything that a specification can name, as `claros describe` shows it; written by\n"
      "`claros describe --markdown --out DIR`. [What composes with what](compositions.md), and why the rest "
      "does not.\n";
  for (const Kind kind : kKinds) {
    const auto names = catalog.names(kind);
    if (names.empty()) continue;
    page += titled(kind_name(kind)) + "| name | |\n|---|---|\n";
    for (const std::string& name : names) {
      const PluginEntry& entry = *catalog.find(kind, name);
      page += index_row(name, file_name(entry), entry.summary);
    }
  }
  page += titled("Built-in sections") + "| section | |\n|---|---|\n";
  for (const BuiltInSection& section : built_in_sections())
    page += index_row(section.name, "section-" + section.name + ".md", section.summary);
  return page;
}

}  // namespace

std::string escaped(std::string_view text) {
  // An underscore between letters or digits is one; beside other characters Markdown may take it for
  // emphasis.
  const auto is_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
  };
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) switch (const char c = text[at]) {
      case '_':
        if (at == 0 || !is_word(at - 1) || !is_word(at + 1)) result += '\\';
        result += c;
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '\n':
        result += ' ';
        break;
      case '*':
      case '|':
      case '`':
      case '\\':
      case '[':
      case ']':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  return result;
}

std::string markdown_page(const Catalog& catalog, const PluginEntry& e) {
  std::string page = "# " + e.label() + "\n\n" + escaped(e.summary) + ".\n";
  if (!e.aliases.empty()) page += "Also called " + joined(e.aliases) + ".\n";
  if (!e.guidance.empty()) page += titled("When to use it") + escaped(e.guidance) + '\n';
  if (!e.specification.empty()) page += titled("Try it") + run_command(e.specification, "    ", kPageWidth);
  page += titled("Mathematics") + escaped(e.description) + '\n';
  page += titled("Parameters") + parameter_table(e.parameters()) + role_table(e.parameters()) +
          abilities_text(catalog, e);
  if (!e.citation.empty()) page += titled("Source") + escaped(e.citation) + '\n';
  return page + example_block(kind_name(e.kind), e.name, e.parameters());
}

std::string markdown_page(const BuiltInSection& section) {
  return "# [" + section.name + "]\n\nA section of a specification: " + escaped(section.summary) + ".\n" +
         titled("Parameters") + parameter_table(*section.parameters) +
         example_block(section.name, "", *section.parameters);
}

void write_markdown_pages(const Catalog& catalog, const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) throw Error(ErrorKind::data, folder.string(), "cannot be created: " + code.message());
  for (const PluginEntry& entry : catalog.entries())
    if (entry.usable()) write_atomically(folder / file_name(entry), markdown_page(catalog, entry));
  for (const BuiltInSection& section : built_in_sections())
    write_atomically(folder / ("section-" + section.name + ".md"), markdown_page(section));
  write_atomically(folder / "compositions.md", compositions_markdown(composition_tables(catalog)));
  write_atomically(folder / "README.md", index_page(catalog));
}

}  // namespace claros::cli
