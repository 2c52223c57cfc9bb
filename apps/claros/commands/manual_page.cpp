// SPDX-License-Identifier: BSD-3-Clause
#include "commands/manual_page.hpp"

#include <claros/io/atomic_file.hpp>
#include <claros/results/run_folder.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/help_text.hpp"
#include "commands/commands.hpp"

namespace claros::cli {

namespace {

/// Letters that roff would read as something else, so that examples can be copied from the terminal.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '\'':
        result += "\\(aq";
        break;
      default:
        result += c;
    }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string title(const std::string& name) {
  std::string upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return ".TH " + roff(upper) + " 1 \"\" \"Claros " + claros::version() + "\" \"Claros manual\"\n";
}

std::string section(const std::string& name) { return ".SH " + name + '\n'; }

std::string term(const std::string& name, const std::string& meaning) {
  return ".TP\n" + name + '\n' + roff(meaning) + '\n';
}

std::string option_terms(const std::vector<Option>& options) {
  std::string page;
  for (const Option& option : options)
    page += term(bold("--" + option.name) + (option.value.empty() ? "" : ' ' + italic(option.value)),
                 option.meaning);
  return page;
}

std::string terms(const std::vector<Term>& list) {
  std::string page;
  for (const Term& t : list) page += term(bold(t.name), t.meaning);
  return page;
}

/// The words of a usage: options bold, brackets and dots as they are, words that a person replaces italic.
std::string synopsis(const std::string& usage) {
  std::istringstream words(usage);
  std::string line;
  for (std::string word; words >> word;) {
    const std::size_t begin = word.starts_with('['), end = word.find_last_not_of("].") + 1;
    const std::string name = word.substr(begin, end < begin ? 0 : end - begin);
    line += ' ' + word.substr(0, begin);
    if (!name.empty()) line += name.starts_with("--") ? bold(name) : italic(name);
    line += word.substr(begin + name.size());
  }
  return line;
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Paragraphs are filled; those that are set off stay as they are written. `margin` blanks lead every line.
std::string paragraphs(const std::string& text, std::size_t margin = 0) {
  std::istringstream lines(text);
  std::string page;
  bool fresh = true, example = false;
  const auto leave = [&] {
    if (example) page += ".EE\n.RE\n";
    example = false;
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      fresh = true;
      continue;
    }
    const bool indented = indentation(line) > margin;
    if (!indented) leave();
    if (fresh && example) page += '\n';
    if (fresh && !example) page += ".PP\n";
    if (indented && !example) page += ".RS 4\n.EX\n";
    example = indented;
    fresh = false;
    page += roff(line.substr(example ? margin + 2 : margin)) + '\n';
  }
  leave();
  return page;
}

std::string references(const std::string& except) {
  std::string page = section("SEE ALSO");
  std::vector<std::string> names{"claros"};
  for (const Command& c : commands()) names.push_back("claros-" + c.name);
  std::erase(names, except);
  for (const std::string& name : names)
    page += ".BR " + roff(name) + " (1)" + (name == names.back() ? "\n" : ",\n");
  return page;
}

}  // namespace

std::string manual_front_page() {
  std::string page = title("claros") + section("NAME") +
                     "claros \\- structured optimization, composed at run time from plugins\n" +
                     section("SYNOPSIS") + bold("claros") + synopsis("COMMAND [ARGUMENTS] [OPTIONS]") + '\n' +
                     section("DESCRIPTION") + roff(help_section("introduction")) + section("COMMANDS");
  for (const Command& c : commands())
    page += term(bold(c.name), c.summary + "; see claros-" + c.name + "(1)");
  page += section("OPTIONS") + option_terms(lone_options());
  page += section("EXAMPLES") + paragraphs(help_section("first-run"), 2) + section("EXIT STATUS") +
          terms(exit_codes());
  page += section("ENVIRONMENT") + terms(environment());
  page += section("FILES") +
          "Claros searches for plugins in the folders of \\-\\-plugin\\-path, in those of "
          "CLAROS_PLUGIN_PATH, and then in\n";
  page += term(italic("$XDG_DATA_HOME/claros/plugins"), "the user's own; ~/.local/share where that is unset");
  page += term(italic("LIBDIR/claros/plugins"),
               "the installation's, beside its library; claros --help shows where");
  return page + references("claros");
}

std::string manual_page(const Command& c) {
  const std::string name = "claros-" + c.name;
  std::string page = title(name) + section("NAME") + roff(name) + " \\- " + roff(c.summary) + '\n' +
                     section("SYNOPSIS") + bold("claros " + c.name) + synopsis(c.usage) +
                     synopsis("[OPTIONS]") + '\n';
  if (!c.about.empty()) page += section("DESCRIPTION") + paragraphs(c.about);
  page += section("OPTIONS") + option_terms(c.options) + option_terms(common_options());
  page += section("EXIT STATUS") + "0 on success; the other codes are listed in\n.BR claros (1).\n";
  return page + references(name);
}

void write_manual(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) throw Error(ErrorKind::data, folder.string(), "cannot be made: " + code.message());
  write_atomically(folder / "claros.1", manual_front_page());
  for (const Command& c : commands()) write_atomically(folder / ("claros-" + c.name + ".1"), manual_page(c));
}

}  // namespace claros::cli
