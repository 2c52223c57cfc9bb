// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin =
    spoiled("wrong-magic", [](ClarosPlugin& plugin) { plugin.magic = 1; });
