// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin =
    spoiled("lacking-function", [](ClarosPlugin& plugin) { plugin.destroy = nullptr; });
