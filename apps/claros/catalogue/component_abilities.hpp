// SPDX-License-Identifier: BSD-3-Clause
/// @file component_abilities.hpp  What a plugin's component can do beyond its interface, and what it needs of
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
  std::vector<Need> needed;          ///< role, ability in words, and the reason where it is told
};

/// Asks a component that is made with defaults, its parts of the catalogue, and with a few numbers of data
/// where it wants data. Nothing when it cannot be made so. Settings may add abilities or take them away.
std::optional<Abilities> abilities_of(const Catalog& catalog, const PluginEntry& entry);

}  // namespace claros::cli
