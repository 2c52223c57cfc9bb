// SPDX-License-Identifier: BSD-3-Clause
#include "compose/part_tree.hpp"

#include <algorithm>
#include <utility>

namespace claros {

std::string PartTree::there_are(Kind kind) const {
  const std::vector<std::string> names = catalog_.names(kind);
  return names.empty() ? "none was found: check the plugin path" : "there are: " + joined(names);
}

void PartTree::add_part(const Role& role, const std::string& path, const Chosen& chosen,
                        std::vector<Node>& parts) {
  if (std::count(path.begin(), path.end(), '.') >= kDeepestPart)
    return findings_.miss({path, "is nested more than " + std::to_string(kDeepestPart) + " levels deep",
                           "compose with fewer components within components"});
  if (!role.many) return add_one(role, path, chosen, parts);
  const std::size_t before = parts.size();
  for (Index k = 1; filled(path + '.' + std::to_string(k)); ++k)
    add_one(role, path + '.' + std::to_string(k), chosen, parts);
  if (parts.size() == before && role.required && !findings_.is_left_out_with_owner(path))
    findings_.miss({path, "expected a list of at least one component, got none",
                    "give " + path + ".1.use = NAME; " + there_are(role.kind)});
}

void PartTree::add_one(const Role& role, const std::string& path, const Chosen& chosen,
                       std::vector<Node>& parts) {
  seen_.insert(path);
  Node part{path, role.name, role.kind, nullptr, nullptr, nullptr, {}, role.restarted};
  if (const auto given = given_.parts.find(path); given != given_.parts.end())
    return add_given(role, given->second, std::move(part), parts);
  if (role.kind == Kind::data && given_.data) return refuse_twice(path);
  const auto use = spec_.get(path, std::string(kUse));
  if (!use && role.fallback.empty()) {
    if (role.required) findings_.leave_out(path);
    if (role.required)
      findings_.miss({path, "is missing", "give " + path + ".use = NAME; " + there_are(role.kind)});
    else if (spec_.has(path))
      findings_.miss({path, "has settings but names no component", "give " + path + ".use = NAME"});
    return;
  }
  sections_.choose(part, use ? use->value : role.fallback, use);
  if (!part.entry) return;
  add_held(part, use.has_value(), chosen);
  parts.push_back(std::move(part));
}

/// What the owner of a part declares, one level down. A component that contains itself by default
/// would be built without end.
void PartTree::add_held(Node& part, bool named, Chosen chosen) {
  if (named) chosen.clear();
  if (std::find(chosen.begin(), chosen.end(), part.entry) != chosen.end())
    return findings_.miss({part.path, part.label() + " contains itself by default, without end",
                           "name another component: " + part.path + ".use = NAME"});
  chosen.push_back(part.entry);
  for (const Role& role : part.entry->parameters().roles())
    add_part(role, part.path + '.' + role.name, chosen, part.held);
}

void PartTree::refuse_twice(const std::string& path) {
  if (spec_.has(path))
    findings_.miss({path, "is given by the program itself and by the specification", "keep one of them"});
}

void PartTree::add_given(const Role& role, const HostPart& given, Node part, std::vector<Node>& parts) {
  refuse_twice(part.path);
  const bool oracle = role.kind == Kind::set || role.kind == Kind::penalty;
  const bool function = role.kind == Kind::smoother && given.kind == Kind::objective;
  if (given.kind != role.kind && !function &&
      !(oracle && (given.kind == Kind::set || given.kind == Kind::penalty)))
    return findings_.miss({part.path,
                           "takes a component of kind " + kind_name(role.kind) +
                               ", and the program gave one of kind " + kind_name(given.kind),
                           "give it to another role"});
  part.component = watched(
      given.component,
      {.kind = role.kind, .name = part.label(), .ledger = result_.ledger, .place = {part.path, nullptr}});
  parts.push_back(std::move(part));
}

/// Sections that no owner asks for.
void PartTree::refuse_homeless(const std::string& open) {
  const auto outermost = [](const std::string& path) { return path.substr(0, path.find('.')); };
  for (const auto& [path, part] : given_.parts)
    if (!seen_.contains(path) && outermost(path) != open) complain_of(path, path);
  for (const std::string& section : spec_.sections())
    if (parse_kind(outermost(section)) && outermost(section) != open && !seen_.contains(section))
      complain_of(section, spec_.settings(section).front().label());
}

void PartTree::complain_of(const std::string& section, const std::string& where) {
  std::string owner = section;
  do owner = owner.substr(0, owner.rfind('.'));
  while (!seen_.contains(owner));
  const Node* part = nullptr;
  const auto all = result_.all_parts();
  for (const Node* candidate : all)
    if (candidate->path == owner) part = candidate;
  if (!part || (findings_.is_left_out_with_owner(owner) && !part->entry))
    return;  // the owner itself was complained about
  std::vector<std::string> roles;
  if (part->entry)
    for (const Role& role : part->entry->parameters().roles())
      roles.push_back(role.name + (role.many ? ".1" : ""));
  const std::string wanted = section.substr(owner.size() + 1);
  std::string remedy = did_you_mean(wanted, roles);
  if (remedy.empty()) remedy = roles.empty() ? "it holds no parts" : "its parts are " + joined(roles);
  findings_.add({where, part->label() + " at [" + owner + "] has no part '" + wanted + "'", remedy});
}

}  // namespace claros
