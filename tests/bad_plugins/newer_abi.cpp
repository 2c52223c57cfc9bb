// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin =
    spoiled("newer-abi", [](ClarosPlugin& plugin) { plugin.abi = claros::kPluginAbi + 1; });
