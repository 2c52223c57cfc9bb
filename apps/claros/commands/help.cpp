// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>
#include <claros/plugin/catalog.hpp>

#include <algorithm>
#include <system_error>

#include "catalogue/commands.hpp"
#include "catalogue/glossary.hpp"
#include "cli/help_text.hpp"
#include "cli/messages.hpp"
#include "cli/parameter_text.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "commands/commands.hpp"
#include "commands/manual_page.hpp"

namespace claros::cli {

namespace {

constexpr std::size_t kWidth = 80;

std::string heading(const std::string& title) { return '\n' + out().bold(title); }

std::string option_rows(const std::vector<Option>& options) {
  std::string rows;
  for (const Option& option : options) rows += row(option.usage(), option.meaning, 2, 22, kWidth);
  return rows;
}

std::string term_rows(const std::vector<Term>& terms, std::size_t column) {
  std::string rows;
  for (const Term& term : terms) rows += row(term.name, term.meaning, 2, column, kWidth);
  return rows;
}

std::string plugin_folders() {
  std::string rows;
  for (const SearchFolder& folder : Catalog::default_search_path()) {
    std::error_code code;
    const bool there = std::filesystem::is_directory(folder.path, code);
    rows += row(folder.origin, folder.path.string() + (there ? "" : " (absent)"), 2, 22, kWidth);
  }
  return rows;
}

std::string glossary_page(const std::string& word) {
  std::string page;
  for (const GlossaryEntry* e : glossary_entries(word))
    page += (page.empty() ? "" : "\n") + out().bold(e->word) + '\n' + wrapped(e->text, 2, kWidth);
  return page;
}

/// The parameter of that name of each section and component, one meaning once.
std::string parameter_page(const Catalog& catalog, const std::string& name) {
  std::vector<std::pair<std::string, std::string>> meanings;  // a meaning, and who has it
  const auto add = [&](const std::string& owner, const ParameterList& parameters) {
    for (const ParameterInfo& p : parameters.rows()) {
      if (p.name != name) continue;
      const std::string text = p.meaning + (p.range.required ? "" : "; default " + default_text(p));
      const auto at = std::ranges::find(meanings, text, &std::pair<std::string, std::string>::first);
      if (at == meanings.end())
        meanings.emplace_back(text, owner);
      else
        at->second += ", " + owner;
    }
  };
  for (const BuiltInSection& section : built_in_sections()) add(section.name, *section.parameters);
  for (const PluginEntry& e : catalog.entries())
    if (e.usable()) add(e.label(), e.parameters());
  std::string page;
  for (const auto& [meaning, owners] : meanings)
    page += wrapped(owners, 2, kWidth) + wrapped(meaning, 6, kWidth);
  return page.empty() ? page : out().bold("parameter " + name) + '\n' + page;
}

std::string option_page(const std::string& name) {
  std::string page;
  for (const Option& option : all_options())
    if (option.name == name) page += row(option.usage(), option.meaning, 2, 22, kWidth);
  if (page.empty()) return page;
  std::string owners;
  for (const Command& c : commands())
    if (std::ranges::find(c.options, name, &Option::name) != c.options.end()) owners += ' ' + c.name;
  return out().bold("option") + '\n' + page +
         wrapped(owners.empty() ? "of every command" : "of" + owners, 22, kWidth);
}

/// The tables of the front page, by their titles.
std::string table_page(const std::string& title) {
  if (title == "exit codes") return out().bold(title) + '\n' + term_rows(exit_codes(), 5);
  if (title == "environment") return out().bold(title) + '\n' + term_rows(environment(), 22);
  std::string page;
  for (const Term& term : environment())
    if (term.name == title) page += row(term.name, term.meaning, 2, 22, kWidth);
  return page;
}

[[noreturn]] void nothing_about(const Catalog& catalog, const std::string& topic) {
  std::vector<std::string> words;
  for (const Command& c : commands()) words.push_back(c.name);
  for (const GlossaryEntry& e : glossary()) words.push_back(e.word);
  for (const PluginEntry& e : catalog.entries()) {
    words.push_back(e.name);
    if (!e.usable()) continue;
    for (const ParameterInfo& p : e.parameters().rows()) words.push_back(p.name);
  }
  const std::string guess = topic.size() > 2 ? did_you_mean(topic, words) : "";
  throw Error(ErrorKind::usage, "'" + topic + "'", "is no command, component, parameter, option or term",
              guess.empty() ? "claros help lists the commands, claros list the components" : guess);
}

/// The words are a command, or all else that they name is shown.
std::string topic_page(const Arguments& arguments) {
  std::string topic;
  for (const std::string& word : arguments.words()) topic += (topic.empty() ? "" : " ") + word;
  for (const Command& c : commands())
    if (c.name == topic) return help_page(c);
  Catalog catalog = open_catalog(arguments);
  catalog.load_all();  // in one child: the parameters of all plugins are looked through
  std::string joined = topic;
  std::ranges::replace(joined, ' ', '-');
  const std::string last =
      topic.starts_with("--") ? topic.substr(2) : joined.substr(joined.find_last_of('.') + 1);
  std::string pages;
  for (const std::string& page : {glossary_page(topic), description_of(arguments, catalog, joined),
                                  parameter_page(catalog, last), option_page(last), table_page(topic)})
    if (!page.empty()) pages += (pages.empty() ? "" : "\n") + page;
  if (pages.empty()) nothing_about(catalog, topic);
  return pages;
}

}  // namespace

std::string front_page() {
  std::string rows;
  for (const Command& c : commands()) rows += row(c.name, c.summary, 2, 12, kWidth);
  return help_section("introduction") + heading("usage") + "\n  claros COMMAND [ARGUMENTS] [OPTIONS]\n" +
         heading("commands") + '\n' + rows + heading("options of every command") + '\n' +
         option_rows(common_options()) + heading("a first run") + help_section("first-run") +
         heading("exit codes") + '\n' + term_rows(exit_codes(), 5) +
         heading("folders searched for plugins, after --plugin-path") + '\n' + plugin_folders() +
         heading("environment") + '\n' + term_rows(environment(), 22);
}

std::string help_page(const Command& c) {
  std::string page = wrapped(c.summary, 0, kWidth) + heading("usage") + '\n' +
                     wrapped("claros " + c.name + (c.usage.empty() ? "" : " ") + c.usage, 2, kWidth);
  if (!c.about.empty()) page += '\n' + c.about;
  if (!c.options.empty()) page += heading("options") + '\n' + option_rows(c.options);
  return page + heading("options of every command") + '\n' + option_rows(common_options());
}

int help_command(const Arguments& arguments) {
  const auto& words = arguments.words();
  if (const auto folder = arguments.get("man")) {
    write_manual(*folder);
    return kDone;
  }
  out().write(words.empty() ? front_page() : topic_page(arguments));
  return kDone;
}

}  // namespace claros::cli
