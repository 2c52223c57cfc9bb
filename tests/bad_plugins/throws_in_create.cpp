// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin = spoiled("throws-in-create", [](ClarosPlugin& plugin) {
  plugin.create = [](const void*, const claros::Context&) -> claros::Component* {
    throw std::runtime_error("no luck");
  };
});
