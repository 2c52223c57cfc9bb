// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin = spoiled("throws-in-parameters", [](ClarosPlugin& plugin) {
  plugin.parameters = []() -> const claros::ParameterList* { throw 42; };
});
