// SPDX-License-Identifier: BSD-3-Clause
#include "compose/planner.hpp"

#include <algorithm>
#include <utility>

namespace claros {

namespace {

const Node* find(const std::vector<Node>& parts, const std::string& path) {
  for (const Node& part : parts) {
    if (part.path == path) return &part;
    if (path.starts_with(part.path + '.')) return find(part.held, path);
  }
  return nullptr;
}

std::string outermost(const std::string& path) { return path.substr(0, path.find('.')); }

}  // namespace

std::string Planner::there_are(Kind kind) const {
  const std::vector<std::string> names = catalog_.names(kind);
  return names.empty() ? "none was found: check the plugin path" : "there are: " + joined(names);
}

void Planner::add(const PluginEntry& entry, const std::string& path) {
  seen_.insert(path);
  Node part{path, {}, entry.kind, &entry, nullptr, nullptr, {}, false};
  part.options = options(entry.parameters(), path, entry.label());
  add_held(part, {});
  parts.push_back(std::move(part));
}

void Planner::add_role(const Role& role, const std::string& path, const Chosen& chosen,
                       std::vector<Node>& to) {
  if (std::count(path.begin(), path.end(), '.') >= kDeepestPart)
    return findings.miss({path, "is nested more than " + std::to_string(kDeepestPart) + " levels deep",
                          "compose with fewer components within components"});
  if (!role.many) return add_one(role, path, chosen, to);
  const auto filled = [&](const std::string& at) { return given_.parts.contains(at) || spec_.has(at); };
  const std::size_t before = to.size();
  for (Index k = 1; filled(path + '.' + std::to_string(k)); ++k)
    add_one(role, path + '.' + std::to_string(k), chosen, to);
  if (to.size() > before || !role.required || findings.is_left_out_with_owner(path)) return;
  findings.leave_out(path);
  findings.miss({path, "expected a list of at least one component, got none",
                 "give " + path + ".1.use = NAME; " + there_are(role.kind)});
}

void Planner::add_one(const Role& role, const std::string& path, const Chosen& chosen,
                      std::vector<Node>& to) {
  seen_.insert(path);
  Node part{path, role.name, role.kind, nullptr, nullptr, nullptr, {}, role.restarted};
  if (const auto given = given_.parts.find(path); given != given_.parts.end())
    return add_given(role, given->second, std::move(part), to);
  if (role.kind == Kind::data && given_.data) return refuse_twice(path);
  const auto use = spec_.get(path, std::string(kUse));
  if (!use && role.fallback.empty()) {
    if (role.required) findings.leave_out(path);
    if (role.required)
      findings.miss({path, "is missing", "give " + path + ".use = NAME; " + there_are(role.kind)});
    else if (spec_.has(path))
      findings.miss({path, "has settings but names no component", "give " + path + ".use = NAME"});
    return;
  }
  choose(part, use ? use->value : role.fallback, use);
  if (!part.entry) return;
  add_held(part, use ? Chosen() : chosen);
  to.push_back(std::move(part));
}

/// Plans the roles that the owner of a part declares, one level down. A component that contains itself by
/// default would be built without end.
void Planner::add_held(Node& part, Chosen chosen) {
  if (std::find(chosen.begin(), chosen.end(), part.entry) != chosen.end())
    return findings.miss({part.path, part.label() + " contains itself by default, without end",
                          "name another component: " + part.path + ".use = NAME"});
  chosen.push_back(part.entry);
  for (const Role& role : part.entry->parameters().roles())
    add_role(role, part.path + '.' + role.name, chosen, part.held);
}

void Planner::refuse_twice(const std::string& path) {
  if (spec_.has(path))
    findings.miss({path, "is given by the program itself and by the specification", "keep one of them"});
}

void Planner::add_given(const Role& role, const HostPart& given, Node part, std::vector<Node>& to) {
  refuse_twice(part.path);
  const bool oracle = role.kind == Kind::set || role.kind == Kind::penalty;
  const bool function = role.kind == Kind::smoother && given.kind == Kind::objective;
  if (given.kind != role.kind && !function &&
      !(oracle && (given.kind == Kind::set || given.kind == Kind::penalty)))
    return findings.miss({part.path,
                          "takes a component of kind " + kind_name(role.kind) +
                              ", and the program gave one of kind " + kind_name(given.kind),
                          "give it to another role"});
  part.component = behind_watcher(given.component, part, ledger_);
  to.push_back(std::move(part));
}

void Planner::choose(Node& part, const std::string& name, const std::optional<Setting>& use) {
  const std::size_t before = findings.size();
  try {
    part.entry = &catalog_.at(part.kind, name, use ? use->label() : part.path);
    effective.put({std::string(kUse), part.entry->name, {}, part.path});
    part.options = options(part.entry->parameters(), part.path, part.entry->label());
    point_to_parts(*part.entry, part.path, before);
    warn_of(*part.entry, name);
  } catch (const Error& error) {
    findings.add(error);
    part.entry = nullptr;  // unknown, or it cannot be loaded
  }
  if (findings.size() > before) findings.leave_out(part.path);
}

std::shared_ptr<void> Planner::options(const ParameterList& parameters, const std::string& section,
                                       const std::string& owner) {
  const Assignments assignments =
      assign_settings(parameters, without_leftovers(parameters, section, owner), owner);
  findings.add(assignments.complaints);
  for (const ParameterInfo& row : parameters.rows())
    effective.put({row.name, parameters.print(assignments.options.get(), row.name), {}, section});
  return assignments.options;
}

/// The settings of a section. If the command line names another component than the file, settings of the
/// first that the second does not know are left out, with a warning.
std::vector<Setting> Planner::without_leftovers(const ParameterList& parameters, const std::string& section,
                                                const std::string& owner) const {
  std::vector<Setting> settings = own_settings(parameters, spec_.settings(section));
  const auto use = spec_.get(section, std::string(kUse));
  if (!use || use->where.empty() || has_line(*use)) return settings;
  std::erase_if(settings, [&](const Setting& s) {
    const bool leftover = s.key != kUse && !parameters.find(s.key) && has_line(s);
    if (leftover)
      context_.warn(s.label() + " is left out: " + section + " became " + owner + " (" + use->where +
                    "), which has no such parameter");
    return leftover;
  });
  return settings;
}

/// A key that the component does not know may be one of a part that it holds.
void Planner::point_to_parts(const PluginEntry& entry, const std::string& path, std::size_t first) {
  for (const Role& role : entry.parameters().roles()) {
    const PluginEntry* held = entry_at(catalog_, spec_, path + '.' + role.name);
    if (!held) continue;
    for (const Setting& setting : spec_.settings(path))
      for (Complaint& complaint : findings.since(first))
        if (complaint.where == setting.label() && !entry.parameters().find(setting.key) &&
            held->parameters().find(setting.key))
          complaint.remedy = held->label() + " has it: write " + path + '.' + role.name + '.' + setting.key +
                             " = " + setting.value;
  }
}

/// Warns of consequences of a name that the user may not have meant.
void Planner::warn_of(const PluginEntry& entry, const std::string& name) const {
  if (const std::string text = catalog_.replaced_built_in(entry.kind, name); !text.empty())
    context_.warn(text);
  if (const std::string changed = entry.changed(); !changed.empty())
    context_.warn(entry.path.string() + " changed " + changed + " when it was loaded; that was put back");
}

void Planner::refuse_unused_sections(const std::string& open) {
  for (const auto& [path, part] : given_.parts)
    if (!seen_.contains(path) && outermost(path) != open) complain_of(path, path);
  for (const std::string& section : spec_.sections())
    if (parse_kind(outermost(section)) && outermost(section) != open && !seen_.contains(section))
      complain_of(section, spec_.settings(section).front().label());
}

void Planner::complain_of(const std::string& section, const std::string& where) {
  std::string owner = section;
  do owner = owner.substr(0, owner.rfind('.'));
  while (!seen_.contains(owner));
  const Node* part = find(parts, owner);
  if (!part || (findings.is_left_out_with_owner(owner) && !part->entry))
    return;  // the owner itself was complained about
  std::vector<std::string> roles;
  if (part->entry)
    for (const Role& role : part->entry->parameters().roles())
      roles.push_back(role.name + (role.many ? ".1" : ""));
  const std::string wanted = section.substr(owner.size() + 1);
  std::string remedy = did_you_mean(wanted, roles);
  if (remedy.empty()) remedy = roles.empty() ? "it holds no parts" : "its parts are " + joined(roles);
  findings.add({where, part->label() + " at [" + owner + "] has no part '" + wanted + "'", remedy});
}

}  // namespace claros
