// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin =
    spoiled("wrong-size", [](ClarosPlugin& plugin) { plugin.struct_size -= 8; });
