// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>
#include <claros/compose/spec.hpp>
#include <claros/results/run_folder.hpp>

#include <algorithm>
#include <filesystem>

#include "catalogue/commands.hpp"
#include "catalogue/named_component.hpp"
#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

/// A text to cite, and the reason.
struct Source {
  std::string citation;
  std::vector<std::string> labels;
};

struct Sources {
  std::vector<Source> cited;
  std::vector<std::string> silent;  ///< components that name no source
};

void add(Sources& sources, const PluginEntry& entry) {
  if (entry.citation.empty()) {
    if (std::find(sources.silent.begin(), sources.silent.end(), entry.label()) == sources.silent.end())
      sources.silent.push_back(entry.label());
    return;
  }
  const auto same = [&](const Source& source) { return source.citation == entry.citation; };
  auto at = std::find_if(sources.cited.begin(), sources.cited.end(), same);
  if (at == sources.cited.end()) at = sources.cited.insert(at, {entry.citation, {}});
  if (std::find(at->labels.begin(), at->labels.end(), entry.label()) == at->labels.end())
    at->labels.push_back(entry.label());
}

void add_spec(Sources& sources, const Catalog& catalog, const std::string& file,
              std::vector<Complaint>& complaints) {
  const Spec spec = Spec::read(file, complaints);
  for (const std::string& section : spec.sections()) {
    const auto use = spec.get(section, std::string(kUse));
    const Role* role = role_at(catalog, spec, section);
    if (!use || !role) continue;
    try {
      add(sources, catalog.at(role->kind, use->value, use->label()));
    } catch (const Error& error) {
      complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    }
  }
}

void add_word(Sources& sources, const Catalog& catalog, const std::string& word,
              std::vector<Complaint>& complaints) {
  std::error_code code;
  if (std::filesystem::is_regular_file(word, code)) return add_spec(sources, catalog, word, complaints);
  try {
    const PluginEntry* entry = named_component(catalog, word);
    if (!entry) nothing_named(catalog, word, false);
    add(sources, *entry);
  } catch (const Error& error) {
    complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
  }
}

std::string own_title() { return "Claros: structured optimization, composed at run time from plugins"; }
constexpr const char* kYear = "2026";  ///< as in LICENSE

std::string as_text(const Sources& sources) {
  const std::size_t width = out().width();
  std::string page = out().bold("Claros") + '\n' +
                     wrapped("The Claros authors (" + std::string(kYear) + "). " + own_title() +
                                 ". Software, version " + claros::version() + ", BSD-3-Clause.",
                             2, width);
  for (const Source& source : sources.cited)
    page += out().bold(joined(source.labels)) + '\n' + wrapped(source.citation, 2, width);
  if (!sources.silent.empty()) page += wrapped("no source is named by " + joined(sources.silent), 0, width);
  return page;
}

std::string tex(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const std::string_view special = "&%$#_{}";
    if (special.find(c) != special.npos)
      result += std::string("\\") + c;
    else if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      result += std::string("\\") + c + "{}";
    else
      result += c;
  }
  return result;
}

/// The citation is one text and stays one: its author and title are not known apart.
std::string as_bibtex(const Sources& sources) {
  std::string page = "@misc{claros,\n  author = {{The Claros authors}},\n  title = {{" + own_title() +
                     "}},\n  year = {" + kYear + "},\n  note = {Software, version " + claros::version() +
                     "}\n}\n";
  for (const Source& source : sources.cited) {
    std::string key = "claros-" + source.labels.front();
    std::replace(key.begin(), key.end(), '/', '-');
    page += "\n% " + joined(source.labels) + "\n@misc{" + key + ",\n  key = {" + tex(source.labels.front()) +
            "},\n  note = {" + tex(source.citation) + "}\n}\n";
  }
  if (!sources.silent.empty()) page += "\n% no source is named by " + joined(sources.silent) + '\n';
  return page;
}

}  // namespace

int cite_command(const Arguments& arguments) {
  const Catalog catalog = open_catalog(arguments);
  Sources sources;
  std::vector<Complaint> complaints;
  for (const std::string& word : arguments.words()) add_word(sources, catalog, word, complaints);
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  out().write(arguments.has("bibtex") ? as_bibtex(sources) : as_text(sources));
  return kDone;
}

}  // namespace claros::cli
