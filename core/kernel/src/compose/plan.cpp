// SPDX-License-Identifier: BSD-3-Clause
#include "compose/planner.hpp"

#include <utility>

namespace claros {

std::string Node::label() const { return entry ? entry->label() : kind_name(kind) + "/host"; }

Node plan_component(const Catalog& catalog, const PluginEntry& entry, const std::vector<Setting>& settings,
                    const Context& context) {
  const std::string path = context.path.empty() ? kind_name(entry.kind) : context.path;
  Spec spec = Spec::of_component(path, settings);
  HostParts given;
  for (const Role& role : entry.parameters().roles()) {
    const std::string section = path + '.' + role.name;
    if (context.part<Component>(role.name)) spec.erase(section);
    Index k = 0;
    for (const auto& component : context.parts<Component>(role.name))
      given.parts[role.many ? section + '.' + std::to_string(++k) : section] = {role.kind, component};
  }
  const Context silent;
  Planner planner(catalog, spec, given, silent, nullptr, {});
  planner.add(entry, path);
  planner.refuse_unused_sections();
  planner.findings.throw_if_any();
  return std::move(planner.parts.front());
}

std::shared_ptr<Component> create_planned(Node& planned, const Context& context,
                                          const std::shared_ptr<Ledger>& ledger) {
  Context own = context;
  own.held.clear();
  own.path = planned.path;
  for (Node& held : planned.held) {
    build(held, context, ledger);
    own.held.emplace_back(held.role, held.component);
  }
  return Catalog::create(*planned.entry, planned.options.get(), own);
}

void build(Node& planned, const Context& context, const std::shared_ptr<Ledger>& ledger) {
  if (!planned.entry) return;
  planned.component = behind_watcher(create_planned(planned, context, ledger), planned, ledger);
}

std::shared_ptr<Component> behind_watcher(std::shared_ptr<Component> component, const Node& node,
                                          const std::shared_ptr<Ledger>& ledger) {
  if (!ledger) return component;
  const ParameterList* options = node.entry ? &node.entry->parameters() : nullptr;
  Watch watch(node.kind, node.label(), ledger);
  watch.place = {node.path, options};
  return watched(std::move(component), watch);
}

std::shared_ptr<Component> create_component(const Catalog& catalog, const PluginEntry& entry,
                                            const std::vector<Setting>& settings, const Context& context) {
  Node planned = plan_component(catalog, entry, settings, context);
  return create_planned(planned, context, nullptr);
}

std::shared_ptr<Component> create_component(const Catalog& catalog, Kind kind, std::string_view name,
                                            const std::vector<Setting>& settings, const Context& context) {
  return create_component(catalog, catalog.at(kind, name), settings, context);
}

std::shared_ptr<Component> create_example(const Catalog& catalog, const PluginEntry& entry,
                                          const Context& context) {
  std::vector<Setting> settings;
  for (const ParameterInfo& row : entry.parameters().rows())
    if (row.range.required) settings.push_back({row.name, example_value(row), {}, {}});
  return create_component(catalog, entry, settings, context);
}

const std::vector<Role>& root_roles() {
  static const std::vector<Role> roles{
      {"algorithm", Kind::algorithm, "the rule for the next point"},
      {"set", Kind::set, "C, which holds the solution", {}, false},
      {"penalty", Kind::penalty, "h, a function with a proximal step", {}, false},
      {"estimator", Kind::estimator, "makes a gradient out of batches", "full"},
      {"smoother", Kind::smoother, "R, a smooth or smoothed term", {}, false},
      {"data", Kind::data, "makes the data", {}, false},
      {"objective", Kind::objective, "f, a finite sum or an expectation"},
  };
  return roles;
}

const Role* role_at(const Catalog& catalog, const Spec& spec, const std::string& section) {
  const auto find = [](const std::vector<Role>& roles, const std::string& name) -> const Role* {
    for (const Role& role : roles)
      if (role.name == name) return &role;
    return nullptr;
  };
  const auto dot = section.rfind('.');
  if (dot == section.npos) return find(root_roles(), section);
  const std::string owner = section.substr(0, dot), name = section.substr(dot + 1);
  if (name.find_first_not_of("0123456789") == name.npos) {
    const Role* list = role_at(catalog, spec, owner);
    return list && list->many ? list : nullptr;
  }
  const PluginEntry* entry = entry_at(catalog, spec, owner);
  return entry ? find(entry->parameters().roles(), name) : nullptr;
}

const PluginEntry* entry_at(const Catalog& catalog, const Spec& spec, const std::string& section) {
  const Role* role = role_at(catalog, spec, section);
  if (!role) return nullptr;
  const auto use = spec.get(section, std::string(kUse));
  const std::string name = use ? use->value : role->fallback;
  return name.empty() ? nullptr : catalog.find(role->kind, name);
}

}  // namespace claros
