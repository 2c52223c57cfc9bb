// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

namespace nowhere {
claros::Component* defined(double radius);
}

FIXTURE_EXPORT const ClarosPlugin claros_plugin = spoiled("undefined-symbol", [](ClarosPlugin& plugin) {
  plugin.create = [](const void*, const claros::Context&) { return nowhere::defined(1.0); };
});
