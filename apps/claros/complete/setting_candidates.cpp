// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>

#include <algorithm>

#include "complete/candidates.hpp"

namespace claros::cli {

namespace {

const BuiltInSection* built_in_section(const std::string& name) {
  for (const BuiltInSection& section : built_in_sections())
    if (section.name == name) return &section;
  return nullptr;
}

/// The tables that may hold the keys of a section.
std::vector<const ParameterList*> tables(const Catalog& catalog, const Spec& spec,
                                         const std::string& section) {
  if (const BuiltInSection* built_in = built_in_section(section)) return {built_in->parameters};
  const Role* role = role_at(catalog, spec, section);
  if (!role) return {};
  if (spec.get(section, std::string(kUse)))
    if (const PluginEntry* entry = entry_at(catalog, spec, section)) return {&entry->parameters()};
  std::vector<const ParameterList*> all;
  for (const std::string& name : catalog.names(role->kind)) try {
      all.push_back(&catalog.find(role->kind, name)->parameters());
    } catch (const Error&) {
      continue;  // the others can be completed
    }
  return all;
}

std::string with_default(const ParameterInfo& p) {
  if (p.range.required) return p.meaning + " [required]";
  return p.meaning + (p.fallback.empty() ? "" : " [" + p.fallback + ']');
}

Candidates keys(const Catalog& catalog, const Spec& spec, const std::string& section) {
  Candidates result;
  if (role_at(catalog, spec, section)) result.push_back({section + ".use=", "the component"});
  if (const PluginEntry* entry = entry_at(catalog, spec, section))
    for (const Role& role : entry->parameters().roles()) {
      result.push_back({section + '.' + role.name + (role.many ? ".1." : "."), role.meaning});
      if (!role.many) result.push_back({section + '.' + role.name + '=', role.meaning});
    }
  for (const ParameterList* table : tables(catalog, spec, section))
    for (const ParameterInfo& p : table->rows()) {
      const std::string word = section + '.' + p.name + '=';
      if (std::none_of(result.begin(), result.end(), [&](const Candidate& c) { return c.word == word; }))
        result.push_back({word, with_default(p)});
    }
  return result;
}

Candidates names(const Catalog& catalog, Kind kind) {
  Candidates result;
  for (const std::string& name : catalog.names(kind))
    result.push_back({name, catalog.find(kind, name)->summary});
  return result;
}

/// Words that a parameter takes; files where it takes any text. Numbers have none.
Candidates values(const ParameterInfo& p, const Spec& spec, const std::string& begun) {
  if (p.type == "boolean") return {{"true", ""}, {"false", ""}};
  Candidates result;
  for (const std::string& choice : p.range.choices) result.push_back({choice, ""});
  if (p.range.of_max) result.push_back({"0.1*max", "a tenth of the largest useful value"});
  if (p.type == "text") result = file_candidates(begun, spec.base(), Files::any);
  if (p.type == "text" && !p.fallback.empty()) result.push_back({p.fallback, "the default"});
  return result;
}

Candidates values(const Catalog& catalog, const Spec& spec, const std::string& section,
                  const std::string& key, const std::string& begun) {
  if (const Role* role = role_at(catalog, spec, section); role && key == kUse) {
    Candidates all = names(catalog, role->kind);
    if (section == kind_name(Kind::algorithm))
      all.push_back({std::string(kAutoAlgorithm), "what fits the other parts best"});
    return all;
  }
  if (const Role* role = role_at(catalog, spec, section + '.' + key); role && !role->many)
    return names(catalog, role->kind);
  for (const ParameterList* table : tables(catalog, spec, section))
    if (const ParameterInfo* p = table->find(key)) return values(*p, spec, begun);
  return {};
}

}  // namespace

Candidates section_candidates() {
  Candidates result;
  for (const std::string& name : Spec::known_sections()) {
    const BuiltInSection* built_in = built_in_section(name);
    result.push_back({name, built_in ? built_in->summary : "which " + name + ", and its parameters"});
  }
  return result;
}

Candidates component_candidates(const Catalog& catalog, const std::string& begun) {
  const bool labels = begun.find('/') != begun.npos;
  Candidates result;
  for (const PluginEntry& e : catalog.entries()) {
    if (!e.usable()) continue;
    const auto same = [&](const PluginEntry& other) { return other.usable() && other.name == e.name; };
    const bool several = std::count_if(catalog.entries().begin(), catalog.entries().end(), same) > 1;
    result.push_back({labels || several ? e.label() : e.name, e.summary});
  }
  return result;
}

Candidates setting_candidates(const Catalog& catalog, const Spec& spec, const std::string& begun,
                              bool several) {
  const auto equals = begun.find('='), dot = begun.rfind('.', equals);
  if (begun.find('.') > equals) return {};
  if (dot == begun.npos) {
    Candidates result = section_candidates();
    for (Candidate& c : result) c.word += '.';
    return result;
  }
  const std::string section = begun.substr(0, dot);
  if (equals == begun.npos) return keys(catalog, spec, section);
  const auto comma = begun.rfind(',');
  const std::size_t lead = several && comma != begun.npos && comma > equals ? comma + 1 : equals + 1;
  Candidates result =
      values(catalog, spec, section, begun.substr(dot + 1, equals - dot - 1), begun.substr(lead));
  for (Candidate& c : result) c.word = begun.substr(0, lead) + c.word;
  return result;
}

}  // namespace claros::cli
