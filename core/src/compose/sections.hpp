// SPDX-License-Identifier: BSD-3-Clause
/// @file sections.hpp  The options of a section of a specification, by the table of who owns it.
#pragma once

#include "compose/findings.hpp"

#include <memory>
#include <string>
#include <vector>

namespace claros {

/// Reads sections into options, writes what is in force into the effective specification, and finds what is wrong.
class Sections {
 public:
  Sections(const Spec& spec, Composition& result, Findings& findings) : spec_(spec), result_(result), findings_(findings) {}

  /// The options of a component; `owner` is its label in complaints.
  std::shared_ptr<void> options(const ParameterList& parameters, const std::string& section, const std::string& owner);

  /// Those of a section of the house.
  template <class Options>
  Options house(const ParameterTable<Options>& table, const std::string& section) {
    if (const auto use = spec_.get(section, std::string(kUse)))
      findings_.add({use->label(), "[" + section + "] holds no component", "leave it out"});
    return *std::static_pointer_cast<Options>(options(table, section, "[" + section + "]"));
  }

 private:
  std::vector<Setting> without_leftovers(const ParameterList& parameters, const std::string& section, const std::string& owner) const;

  const Spec& spec_;
  Composition& result_;
  Findings& findings_;
};

}  // namespace claros
