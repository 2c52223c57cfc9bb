// SPDX-License-Identifier: BSD-3-Clause
/// @file sections.hpp  What a section of a specification says: which component, and its options by the table
/// of who owns it.
#pragma once

#include "compose/findings.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace claros {

/// Reads sections into options, writes what is in force into the effective specification, and finds what is
/// wrong.
class Sections {
 public:
  Sections(const Catalog& catalog, const Spec& spec, Composition& result, Findings& findings)
      : catalog_(catalog), spec_(spec), result_(result), findings_(findings) {}

  /// Gives the part the plugin `name` and its options, from the section at its path; `use`: where the name
  /// was written, if it was.
  void choose(Node& part, const std::string& name, const std::optional<Setting>& use);

  /// Those of a built-in section.
  template <class Options>
  Options house(const ParameterTable<Options>& table, const std::string& section) {
    if (const auto use = spec_.get(section, std::string(kUse)))
      findings_.add({use->label(), "[" + section + "] holds no component", "leave it out"});
    return *std::static_pointer_cast<Options>(options(table, section, "[" + section + "]"));
  }

 private:
  /// `owner` is a label for complaints.
  std::shared_ptr<void> options(const ParameterList& parameters, const std::string& section,
                                const std::string& owner);
  void point_to_parts(const PluginEntry& entry, const std::string& path, std::size_t first);
  void warn_of(const PluginEntry& entry, const std::string& name) const;
  std::vector<Setting> without_leftovers(const ParameterList& parameters, const std::string& section,
                                         const std::string& owner) const;

  const Catalog& catalog_;
  const Spec& spec_;
  Composition& result_;
  Findings& findings_;
};

}  // namespace claros
