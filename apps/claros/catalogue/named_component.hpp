// SPDX-License-Identifier: BSD-3-Clause
/// @file named_component.hpp  The component that a word on the command line means.
#pragma once

#include <claros/plugin/catalog.hpp>

#include <string>
#include <vector>

namespace claros::cli {

/// kind/name, a name or an alias; null when there is none. Throws Error(usage) when it means more than one,
/// or a kind has none of that name.
const PluginEntry* named_component(const Catalog& catalog, const std::string& name);

/// All that it means, one a kind; empty when there is none. Throws Error(usage) for a kind that has none of
/// that name.
std::vector<const PluginEntry*> components_named(const Catalog& catalog, const std::string& name);

/// Throws Error(usage) with a guess; a section of a specification could have been meant when `sections`, a
/// file otherwise.
[[noreturn]] void nothing_named(const Catalog& catalog, const std::string& name, bool sections);

}  // namespace claros::cli
