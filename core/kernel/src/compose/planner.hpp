// SPDX-License-Identifier: BSD-3-Clause
/// @file planner.hpp  From the sections of a specification to a plan: plugins and options, no component.
#pragma once

#include "compose/findings.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace claros {

/// Plans role by role. It has three results: the plans, the settings in force, and the faults.
class Planner {
 public:
  /// `given`: components of the program. They stand behind watchers of `ledger`, or behind none (null).
  /// `context` takes warnings. `complaints` were found before anything was planned.
  Planner(const Catalog& catalog, const Spec& spec, const HostParts& given, const Context& context,
          std::shared_ptr<Ledger> ledger, std::vector<Complaint> complaints)
      : findings(spec, std::move(complaints)),
        catalog_(catalog),
        spec_(spec),
        given_(given),
        context_(context),
        ledger_(std::move(ledger)) {}

  Findings findings;
  std::vector<Node> parts;  ///< the outermost
  Spec effective;           ///< every parameter of every section that was planned

  /// The options of a built-in section.
  template <class Options>
  Options section(const ParameterTable<Options>& table, const std::string& name) {
    if (const auto use = spec_.get(name, std::string(kUse)))
      findings.add({use->label(), "[" + name + "] holds no component", "leave it out"});
    return *std::static_pointer_cast<Options>(options(table, name, "[" + name + "]"));
  }
  /// Adds the component that fills one of root_roles().
  void add(const Role& role) { add_role(role, role.name, {}, parts); }
  /// The component `entry` as the outermost one at `path`.
  void add(const PluginEntry& entry, const std::string& path);
  /// Complains of sections that no component has a role for. `open` is an outermost section whose component
  /// is yet to be chosen (empty: none).
  void refuse_unused_sections(const std::string& open = {});

 private:
  using Chosen = std::vector<const PluginEntry*>;  ///< the owners that were chosen by default

  void add_role(const Role& role, const std::string& path, const Chosen& chosen, std::vector<Node>& to);
  void add_one(const Role& role, const std::string& path, const Chosen& chosen, std::vector<Node>& to);
  void add_given(const Role& role, const HostPart& given, Node part, std::vector<Node>& to);
  void add_held(Node& part, Chosen chosen);
  void choose(Node& part, const std::string& name, const std::optional<Setting>& use);
  void refuse_twice(const std::string& path);
  void complain_of(const std::string& section, const std::string& where);
  /// `owner` is a label for complaints.
  std::shared_ptr<void> options(const ParameterList& parameters, const std::string& section,
                                const std::string& owner);
  std::vector<Setting> without_leftovers(const ParameterList& parameters, const std::string& section,
                                         const std::string& owner) const;
  void point_to_parts(const PluginEntry& entry, const std::string& path, std::size_t first);
  void warn_of(const PluginEntry& entry, const std::string& name) const;
  std::string there_are(Kind kind) const;

  const Catalog& catalog_;
  const Spec& spec_;
  const HostParts& given_;
  const Context& context_;
  std::shared_ptr<Ledger> ledger_;
  std::set<std::string> seen_;  ///< sections that a component has a role for
};

/// The component of a node behind a watcher of the ledger; as it is where that is null.
std::shared_ptr<Component> behind_watcher(std::shared_ptr<Component> component, const Node& node,
                                          const std::shared_ptr<Ledger>& ledger);

}  // namespace claros
