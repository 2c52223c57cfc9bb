// SPDX-License-Identifier: BSD-3-Clause
#include <claros/json_text.hpp>
#include <claros/plugin/catalog.hpp>

#include <algorithm>
#include <limits>

#include "catalogue/commands.hpp"
#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

using Entries = std::vector<const PluginEntry*>;
using Complaints = std::vector<Complaint>;

std::vector<Kind> kinds_of(const Arguments& arguments) {
  if (arguments.words().empty()) return {kKinds.begin(), kKinds.end()};
  const std::string& word = arguments.words().front();
  if (const auto kind = parse_kind(word)) return {*kind};
  for (const std::string plural : {"ies", "es", "s"})  // penalties, losses, sets
    if (word.ends_with(plural))
      if (const auto kind =
              parse_kind(word.substr(0, word.size() - plural.size()) + (plural == "ies" ? "y" : "")))
        return {*kind};
  std::vector<std::string> names;
  std::string all;
  for (const Kind kind : kKinds) {
    names.push_back(kind_name(kind));
    all += (all.empty() ? "" : ", ") + names.back();
  }
  const std::string guess = did_you_mean(word, names);
  throw Error(ErrorKind::usage, "'" + word + "'", "is not a kind of component",
              guess.empty() ? "the kinds are " + all : guess);
}

Entries usable(const Catalog& catalog, Kind kind) {
  Entries entries;
  for (const std::string& name : catalog.names(kind)) entries.push_back(catalog.find(kind, name));
  return entries;
}

/// A broken plugin may be of any kind.
Entries unusable(const Catalog& catalog, const std::vector<Kind>& kinds) {
  Entries entries;
  for (const PluginEntry& entry : catalog.entries())
    if (!entry.usable() &&
        (entry.name.empty() || std::find(kinds.begin(), kinds.end(), entry.kind) != kinds.end()))
      entries.push_back(&entry);
  return entries;
}

/// The aliases that mean this plugin, or those that mean another one.
std::vector<std::string> aliases(const Catalog& catalog, const PluginEntry& e, bool own) {
  std::vector<std::string> result;
  for (const std::string& alias : e.aliases)
    if ((catalog.find(e.kind, alias) == &e) == own) result.push_back(alias);
  return result;
}

/// Notes on usable plugins: hidden aliases, changes of the process.
Complaints remarks(const Catalog& catalog, const std::vector<Kind>& kinds) {
  Complaints result;
  for (const Kind kind : kinds)
    for (const PluginEntry* e : usable(catalog, kind)) {
      const std::string where = e->path.string();
      for (const std::string& alias : aliases(catalog, *e, false))
        result.push_back({where,
                          "its alias '" + alias + "' means " + catalog.find(kind, alias)->label() + " of " +
                              catalog.find(kind, alias)->path.string(),
                          "write " + e->name + ", or rename the alias"});
      if (const std::string text = catalog.replaced_built_in(kind, e->name); !text.empty())
        result.push_back({where, text, "rename it to have both"});
      if (const std::string changed = e->changed(); !changed.empty())
        result.push_back({where, "changes " + changed + " when it is loaded; Claros restores it",
                          "report this to its author"});
    }
  return result;
}

const char* state_name(PluginState state) { return state == PluginState::shadowed ? "shadowed" : "broken"; }

Json as_json(const Catalog& catalog, const std::vector<Kind>& kinds) {
  Json components = Json::array(), rest = Json::array();
  for (const Kind kind : kinds)
    for (const PluginEntry* e : usable(catalog, kind))
      components.push_back({{"kind", kind_name(kind)},
                            {"name", e->name},
                            {"aliases", aliases(catalog, *e, true)},
                            {"summary", e->summary},
                            {"version", e->version},
                            {"file", e->path.string()}});
  for (const PluginEntry* e : unusable(catalog, kinds))
    rest.push_back({{"state", state_name(e->state)},
                    {"file", e->path.string()},
                    {"reason", e->problem.what},
                    {"remedy", e->problem.remedy}});
  Json notes = Json::array();
  for (const Complaint& c : remarks(catalog, kinds))
    notes.push_back({{"file", c.where}, {"remark", c.what}, {"remedy", c.remedy}});
  return {{"components", components}, {"unusable", rest}, {"remarks", notes}};
}

/// Kinds that answer one question, in the order in which people ask.
struct Question {
  const char* words;
  std::vector<Kind> kinds;
};
const std::vector<Question>& questions() {
  static const std::vector<Question> all{
      {"What is minimised, f(x)", {Kind::objective, Kind::loss}},
      {"What the solution is like: h(x), R(x), x in C", {Kind::penalty, Kind::smoother, Kind::set}},
      {"How it is solved", {Kind::algorithm, Kind::estimator}},
      {"Where data come from that are in no file", {Kind::data}}};
  return all;
}

/// A line below the name of a kind.
std::string kind_note(Kind kind) {
  if (kind == Kind::algorithm)
    return "  (may be left out: Claros chooses one that fits; claros advise SPEC says which)\n";
  return kind == Kind::estimator ? "  (may be left out: the full gradient is then taken)\n" : "";
}

std::string kind_text(const Catalog& catalog, Kind kind, std::size_t column, std::size_t width) {
  const Entries entries = usable(catalog, kind);
  std::string page = out().bold(kind_name(kind)) + '\n' + kind_note(kind);
  if (entries.empty()) page += "  none\n";
  for (const PluginEntry* e : entries) {
    const auto also_named = aliases(catalog, *e, true);
    const std::string also = also_named.empty() ? "" : " (also " + joined(also_named) + ")";
    page += row(e->name, e->summary + also, 2, std::min<std::size_t>(column, 30), width);
  }
  return page;
}

/// One line for each component if a program reads, so that grep and cut work; wrapped on a terminal.
std::string as_text(const Catalog& catalog, const std::vector<Kind>& kinds) {
  const Stream& stream = out();
  const std::size_t width = stream.terminal() ? stream.width() : std::numeric_limits<std::size_t>::max();
  std::size_t column = 0;
  for (const Kind kind : kinds)
    for (const PluginEntry* e : usable(catalog, kind)) column = std::max(column, e->name.size() + 2);
  std::string page;
  for (const Question& question : questions()) {
    if (kinds.size() > 1) page += (page.empty() ? "" : "\n") + stream.bold(question.words) + "\n\n";
    for (const Kind kind : question.kinds)
      if (std::ranges::find(kinds, kind) != kinds.end()) page += kind_text(catalog, kind, column, width);
  }
  const Entries rest = unusable(catalog, kinds);
  if (!rest.empty()) page += '\n' + stream.bold("not usable") + '\n';
  for (const PluginEntry* e : rest) {
    const std::string remedy = e->problem.remedy.empty() ? "" : " (" + e->problem.remedy + ")";
    page += wrapped(printable(e->problem.where), 2, width) +
            wrapped(std::string(state_name(e->state)) + ": " + printable(e->problem.what + remedy), 4, width);
  }
  const Complaints notes = remarks(catalog, kinds);
  if (!notes.empty()) page += '\n' + stream.bold("notes") + '\n';
  for (const Complaint& c : notes)
    page +=
        wrapped(printable(c.where), 2, width) + wrapped(printable(c.what + " (" + c.remedy + ")"), 4, width);
  return page;
}

}  // namespace

int list_command(const Arguments& arguments) {
  const std::vector<Kind> kinds = kinds_of(arguments);
  Catalog catalog = open_catalog(arguments);
  catalog.load_all(kinds);
  out().write(arguments.has("json") ? json_text(as_json(catalog, kinds)) : as_text(catalog, kinds));
  return kDone;
}

}  // namespace claros::cli
