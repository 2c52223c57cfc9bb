// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin =
    spoiled("bad-name", [](ClarosPlugin& plugin) { plugin.name = "Bad Name"; });
