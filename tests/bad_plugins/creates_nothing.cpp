// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin = spoiled("creates-nothing", [](ClarosPlugin& plugin) {
  plugin.create = [](const void*, const claros::Context&) -> claros::Component* { return nullptr; };
});
