// SPDX-License-Identifier: BSD-3-Clause
/// @file part_tree.hpp  Which components fill the roles of a composition, and those of its components.
#pragma once

#include "compose/sections.hpp"

#include <set>
#include <string>
#include <vector>

namespace claros {

/// Makes the tree of parts from a specification and from what a program gave: their plugins and options, no
/// component yet.
class PartTree {
 public:
  PartTree(const Catalog& catalog, const Spec& spec, const HostParts& given, Composition& result,
           Findings& findings, Sections& sections)
      : catalog_(catalog),
        spec_(spec),
        given_(given),
        result_(result),
        findings_(findings),
        sections_(sections) {}

  /// Fills one of root_roles().
  void add(const Role& role) { add_part(role, role.name, {}, result_.parts); }
  /// Complains of sections that no owner asks for, when all are filled but one, whose owner is yet to be
  /// chosen (empty: none).
  void refuse_homeless(const std::string& open = {});

 private:
  using Chosen = std::vector<const PluginEntry*>;  ///< the components above that were chosen by default

  void add_part(const Role& role, const std::string& path, const Chosen& chosen, std::vector<Node>& parts);
  void add_one(const Role& role, const std::string& path, const Chosen& chosen, std::vector<Node>& parts);
  void add_held(Node& part, bool named, Chosen chosen);
  void add_given(const Role& role, const HostPart& given, Node part, std::vector<Node>& parts);
  void refuse_twice(const std::string& path);
  void complain_of(const std::string& section, const std::string& where);
  std::string there_are(Kind kind) const;
  bool filled(const std::string& path) const { return given_.parts.contains(path) || spec_.has(path); }

  const Catalog& catalog_;
  const Spec& spec_;
  const HostParts& given_;
  Composition& result_;
  Findings& findings_;
  Sections& sections_;
  std::set<std::string> seen_;  ///< paths that an owner asked for
};

}  // namespace claros
