// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin/catalog.hpp>

#include <algorithm>
#include <system_error>

#include "catalogue/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/messages.hpp"
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

bool is_command(const std::string& name) {
  return std::ranges::any_of(commands(), [&](const Command& c) { return c.name == name; });
}

/// `claros help frank-wolfe` shows what `claros describe` does of it; false if it is no component or
/// section.
bool describes(const Arguments& arguments) try {
  return describe_command(arguments) == kDone;
} catch (const Error&) {
  return false;
}

}  // namespace

std::string front_page() {
  std::string rows;
  for (const Command& c : commands()) rows += row(c.name, c.summary, 2, 12, kWidth);
  return kIntroduction + heading("usage") + "\n  claros COMMAND [ARGUMENTS] [OPTIONS]\n" +
         heading("commands") + '\n' + rows + heading("options of every command") + '\n' +
         option_rows(common_options()) + heading("a first run") + kFirstRun + heading("exit codes") + '\n' +
         term_rows(exit_codes(), 5) + heading("folders searched for plugins, after --plugin-path") + '\n' +
         plugin_folders() + heading("environment") + '\n' + term_rows(environment(), 22);
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
  if (!words.empty() && !is_command(words.front()) && describes(arguments)) return kDone;
  out().write(words.empty() ? front_page() : help_page(command(words.front())));
  return kDone;
}

}  // namespace claros::cli
