// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin_descriptor.hpp  From a plugin's descriptor to an entry of the catalog.
#pragma once

#include <claros/plugin/catalog.hpp>

namespace claros {

/// The usable entry for `plugin`; `path` is empty for a component of the program. Throws Error(plugin) when
/// the descriptor was built for another host or breaks its contract.
PluginEntry read_descriptor(std::shared_ptr<const ClarosPlugin> plugin, const std::filesystem::path& path);

}  // namespace claros
