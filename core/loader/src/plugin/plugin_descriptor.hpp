// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin_descriptor.hpp  From a plugin's descriptor to an entry of the catalog.
#pragma once

#include <claros/plugin/catalog.hpp>

namespace claros {

/// The entry for `plugin`, whose functions are not called; `path` is empty for a component of the program.
/// Throws Error(plugin) when the descriptor was built for another host or breaks its contract.
PluginEntry read_descriptor(const ClarosPlugin& plugin, const std::filesystem::path& path);

/// Asks the plugin for its table. Throws Error(plugin) when that breaks its contract.
const ParameterList* read_parameters(const ClarosPlugin& plugin, const std::string& where);

}  // namespace claros
