// SPDX-License-Identifier: BSD-3-Clause
/// @file component_abilities.hpp  The abilities of a plugin's component, and the abilities that it needs of
/// others.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/plugin/catalog.hpp>

#include <optional>
#include <string>
#include <vector>

namespace claros::cli {

struct Abilities {
  std::vector<std::string> offered;  ///< in words
  std::vector<Need> needed;          ///< role, ability in words, and the reason if the plugin gives one
};

/// Asks a component that is made with defaults, its parts of the catalogue, and with a few numbers of data
/// where it wants data. Nothing when it cannot be made so. Settings may add abilities or take them away.
std::optional<Abilities> abilities_of(const Catalog& catalog, const PluginEntry& entry);

}  // namespace claros::cli
