// SPDX-License-Identifier: BSD-3-Clause
/// @file plan.hpp  The components in the roles of a composition, their options, and how they are created.
///
/// A tree of components is made in two steps. A *plan* names the plugin of every component and fills its
/// options; everything that is wrong with the settings is found then, and no component is created. *Building*
/// creates the components of a plan, those that a component holds before it. A tree may be built again: for
/// another trial, or after a number of its options was changed.
#pragma once

#include <claros/compose/spec.hpp>
#include <claros/context.hpp>
#include <claros/plugin/catalog.hpp>
#include <claros/watch/watched.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// One component, planned or built, and those that it holds.
struct CLAROS_API Node {
  std::string path;  ///< its section: "algorithm.inner"
  std::string role;  ///< what its owner calls it: "inner"
  Kind kind{};
  const PluginEntry* entry = nullptr;    ///< null if the program gave the component
  std::shared_ptr<void> options;         ///< the options of entry->parameters()
  std::shared_ptr<Component> component;  ///< null until it is built, except of a component of the program
  std::vector<Node> held;
  bool restarted = false;  ///< of its role (kind.hpp)

  /// "set/box"; "set/host" of a component of the program.
  std::string label() const;
};

/// The roles of the whole: the outermost sections that hold components, in the order in which they are built.
CLAROS_API const std::vector<Role>& root_roles();

/// The role that a section of a specification fills ("algorithm.inner"), if its owners are named there or
/// chosen by default. Null for other sections.
CLAROS_API const Role* role_at(const Catalog& catalog, const Spec& spec, const std::string& section);
/// The component that is named in a section, or chosen by default; null if neither is.
CLAROS_API const PluginEntry* entry_at(const Catalog& catalog, const Spec& spec, const std::string& section);

/// The plan of one component and of those that it holds: "radius", and "inner.radius" or "blocks.1.radius" of
/// those in its roles. Components in `context.held` fill their roles; other roles take the component that is
/// named, or their default. A plugin that was loaded from a file may hold components of the search path, so
/// `entry` may be of another catalogue. Throws Error(usage) with everything that is wrong with the settings.
CLAROS_API Node plan_component(const Catalog& catalog, const PluginEntry& entry,
                               const std::vector<Setting>& settings, const Context& context);

/// Creates the component of a plan after those that it holds. The held ones are behind watchers of `ledger`
/// (behind none if it is null); the component itself is behind none. Throws what Catalog::create throws.
CLAROS_API std::shared_ptr<Component> create_planned(Node& planned, const Context& context,
                                                     const std::shared_ptr<Ledger>& ledger);
/// Puts that component into the node, behind a watcher of its own. A component of the program stays.
CLAROS_API void build(Node& planned, const Context& context, const std::shared_ptr<Ledger>& ledger);

/// Plans and creates one component, without watchers. Throws what both throw.
CLAROS_API std::shared_ptr<Component> create_component(const Catalog& catalog, const PluginEntry& entry,
                                                       const std::vector<Setting>& settings,
                                                       const Context& context);
/// Plans and creates a component by name. Throws Error(usage) with a suggestion if the name is unknown.
CLAROS_API std::shared_ptr<Component> create_component(const Catalog& catalog, Kind kind,
                                                       std::string_view name,
                                                       const std::vector<Setting>& settings,
                                                       const Context& context);
/// A component with the defaults, and with values of their range for required parameters (example_value).
CLAROS_API std::shared_ptr<Component> create_example(const Catalog& catalog, const PluginEntry& entry,
                                                     const Context& context);

}  // namespace claros
