// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

namespace {
const claros::ParameterTable<Fixture::Options> table{
    claros::row("use", &Fixture::Options::radius, claros::any(), "a name that a specification needs itself")};
}

FIXTURE_EXPORT const ClarosPlugin claros_plugin = spoiled("reserved-parameter", [](ClarosPlugin& plugin) {
  plugin.parameters = []() -> const claros::ParameterList* { return &table; };
});
