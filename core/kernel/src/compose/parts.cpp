// SPDX-License-Identifier: BSD-3-Clause
// The tree of parts: what a section names, and how a component is made.
#include "compose/parts.hpp"

namespace claros {

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

std::string Node::label() const { return entry ? entry->label() : kind_name(kind) + "/host"; }

void make(Node& part, const Context& context, const std::shared_ptr<Ledger>& ledger) {
  if (!part.entry) return;
  Context own = context;
  own.held.clear();
  own.path = part.path;
  for (Node& held : part.held) {
    make(held, context, ledger);
    own.held.emplace_back(held.role, held.component);
  }
  part.component = watched(Catalog::create(*part.entry, part.options.get(), own),
                           {.kind = part.kind,
                            .name = part.label(),
                            .ledger = ledger,
                            .place = {part.path, &part.entry->parameters()}});
}

}  // namespace claros
