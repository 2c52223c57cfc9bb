// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/plan.hpp>
#include <claros/other_names.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace claros {

extern const std::string_view kOtherNames;  // other-names.txt, by the build

namespace {

using Names = std::vector<OtherName>;
using Words = std::vector<std::string>;

/// The parts of `text` between the separators.
Words parts_of(const std::string& text, const std::string& separator) {
  Words parts;
  std::size_t from = 0;
  for (std::size_t to; (to = text.find(separator, from)) != text.npos; from = to + separator.size())
    parts.push_back(text.substr(from, to - from));
  parts.push_back(text.substr(from));
  return parts;
}

/// The lines of other-names.txt, which says how it is written: joined, and without comments.
Words lines_of(std::string_view table) {
  Words lines;
  std::istringstream stream{std::string(table)};
  for (std::string line; std::getline(stream, line);) {
    const auto first = line.find_first_not_of(' ');
    if (first == line.npos || line.front() == '#') continue;
    if (first > 0)
      lines.back() += ' ' + line.substr(first);
    else
      lines.push_back(line);
  }
  return lines;
}

Names names_of(std::string_view table) {
  Names all;
  std::string section, key;
  for (const std::string& line : lines_of(table)) {
    if (line.front() == '[') {
      const Words place = parts_of(line.substr(1, line.size() - 2), " ");
      section = place.front();
      key = place.size() > 1 ? place[1] : "";
      continue;
    }
    const auto library = line.find(" | "), text = line.find(" | ", library + 1);
    OtherName other;
    other.section = section;
    other.library = line.substr(library + 3, text - library - 3);
    other.advice = line.substr(text + 3);
    if (other.advice.starts_with("= ")) {
      other.means = parts_of(other.advice.substr(2), " ");
      other.advice.clear();
    }
    for (const std::string& name : parts_of(line.substr(0, library), ", ")) {
      other.key = key.empty() ? name : key;
      other.value = key.empty() ? "" : name;
      all.push_back(other);
    }
  }
  return all;
}

const OtherName* find(const std::string& section, const std::string& name, const std::string& value) {
  for (const OtherName& other : other_names())
    if (other.section == section && other.key == name && other.value == value) return &other;
  return nullptr;
}

std::string filled(const std::string& meaning, const std::string& value) {
  return meaning.ends_with("=*") ? meaning.substr(0, meaning.size() - 1) + value : meaning;
}

std::string meaning_of(const OtherName& other, const std::string& value) {
  Words all;
  for (const std::string& meaning : other.means) all.push_back(filled(meaning, value));
  return joined(all, " ");
}

/// True if the catalogue knows the name itself.
bool is_known(const Catalog& catalog, const Spec& spec, const Setting& setting) {
  const std::string place = setting.key == kUse ? setting.section : setting.place();
  if (place == "objective.loss") return catalog.find(Kind::loss, setting.value) != nullptr;
  const auto kind = parse_kind(setting.section);
  if (!kind) return false;
  if (setting.key == kUse) return catalog.find(*kind, setting.value) != nullptr;
  const PluginEntry* entry = entry_at(catalog, spec, setting.section);
  return entry && (entry->parameters().find(setting.key) ||
                   std::ranges::any_of(entry->parameters().roles(),
                                       [&](const Role& role) { return role.name == setting.key; }));
}

const OtherName* other_name_of(const Catalog& catalog, const Spec& spec, const Setting& setting) {
  if (const PluginEntry* entry =
          parse_kind(setting.section) ? entry_at(catalog, spec, setting.section) : nullptr)
    if (const OtherName* own = find(entry->label(), setting.key, {})) return own;
  if (setting.place() == "objective.loss") return find("objective.loss", std::string(kUse), setting.value);
  if (setting.key == kUse) return find(setting.section, setting.key, setting.value);
  return find(setting.section, setting.key, {});
}

/// The first word in quotes.
std::string quoted(const std::string& text) {
  const auto from = text.find('\''), to = from == text.npos ? from : text.find('\'', from + 1);
  return to == text.npos ? std::string() : text.substr(from + 1, to - from - 1);
}

std::string remedy_of(const OtherName& other) {
  return other.means.empty() ? other.advice : "write " + meaning_of(other, "VALUE");
}

/// The entry of the table that `complaint` is about; null if there is none.
const OtherName* named_in(const Complaint& complaint) {
  const std::string place = complaint.where.substr(complaint.where.rfind(' ') + 1),
                    name = quoted(complaint.what);
  const auto about = [&](const char* words) { return complaint.what.find(words) != std::string::npos; };
  const auto dot = place.rfind('.');
  const std::string section = dot == place.npos ? place : place.substr(0, dot);
  if (about(" named '")) {
    const std::string owner = place == "objective.loss" ? place : section;
    return find(owner, std::string(kUse), name);
  }
  if (about("has no parameter") || about("has no part")) {
    const OtherName* own = find(complaint.what.substr(0, complaint.what.find(' ')), name, {});
    return own ? own : find(section, name, {});
  }
  if (about("there is no section")) return find("", name, {});
  if (about("names no section")) return find("", place, {});
  if (about("is not a key")) return find(section, name, {});
  const std::string leaf = place.substr(dot + 1);
  if (about("is not a number")) return find(section, leaf, std::string("NAMES"));
  if (about("is not one of")) return find(section, leaf, name);
  if (about("is not an option")) {
    constexpr std::string_view kDashes = "--";
    const bool answered = complaint.remedy.starts_with("write claros ");  // by the words of a command
    if (answered || !complaint.where.starts_with(kDashes)) return nullptr;
    std::string option = complaint.where.substr(kDashes.size());
    if (option == "data") option = "file";  // the file of rows, not the section
    if (const OtherName* other = find("", option, {})) return other;
    std::ranges::replace(option, '-', '_');
    return find("", option, {});
  }
  return nullptr;
}

/// Puts the settings that one setting means in its place, and returns them as text. The command line goes
/// before a file. Elsewhere a setting of Claros stays beside a component of another library, and contradicts
/// a key of one.
std::string put_meaning(Spec& spec, const OtherName& other, const Setting& setting) {
  Words all;
  for (const std::string& meaning : other.means) {
    const std::string text = filled(meaning, setting.value);
    const auto equals = text.find('='), dot = text.substr(0, equals).rfind('.');
    Setting put{text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1), setting.where,
                text.substr(0, dot)};
    const auto present = put.place() == setting.place() ? std::nullopt : spec.get(put.section, put.key);
    if (present && present->value != put.value && (!has_line(*present) || has_line(setting))) {
      if (other.value.empty() && has_line(*present) == has_line(setting))
        throw Error(ErrorKind::usage, setting.label(),
                    "means " + text + ", and " + present->label() + " is " + present->value,
                    "write one of them");
      continue;
    }
    spec.put(std::move(put));
    all.push_back(text);
  }
  return joined(all, " ");
}

}  // namespace

std::string OtherName::written() const {
  const std::string place = section == "objective.loss" ? section
                            : section.empty()           ? key
                                                        : section + '.' + key;
  return value.empty() ? place : place + '=' + value;
}

const std::vector<OtherName>& other_names() {
  static const Names table = names_of(kOtherNames);
  return table;
}

std::string other_names_table() {
  std::string text = "| name | here | from |\n|---|---|---|\n";
  for (const OtherName& other : other_names()) {
    std::string means = other.means.empty() ? other.advice : '`' + meaning_of(other, "VALUE") + '`';
    for (auto at = means.find('|'); at != means.npos; at = means.find('|', at + 2)) means.insert(at, "\\");
    text += "| `" + other.written() + "` | " + means + " | " + other.library + " |\n";
  }
  return text;
}

Spec with_own_names(const Catalog& catalog, const Spec& spec, const MessageSink& messages) {
  Spec result(spec);
  bool changed = false;
  for (const std::string& section : spec.sections())
    for (const Setting& setting : spec.settings(section)) {
      const OtherName* other = other_name_of(catalog, result, setting);
      if (!other || other->means.empty() || is_known(catalog, result, setting)) continue;
      if (other->value.empty()) result.erase(setting.place());
      const std::string meaning = put_meaning(result, *other, setting);
      changed = true;
      if (messages && !meaning.empty())
        messages(Severity::note,
                 setting.label() + (other->value.empty() ? "" : "=" + setting.value) + ": " + meaning);
    }
  return changed ? with_own_names(catalog, result, messages) : result;  // objective.family=binomial
}

Error with_remedies(const Error& error) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints)
    if (const OtherName* other = named_in(complaint)) complaint.remedy = remedy_of(*other);
  return {error.kind(), std::move(complaints)};
}

std::string with_section(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == assignment.npos) return assignment;
  const OtherName* other = find("", assignment.substr(0, equals), {});
  return other && !other->means.empty() ? meaning_of(*other, assignment.substr(equals + 1)) : assignment;
}

}  // namespace claros
