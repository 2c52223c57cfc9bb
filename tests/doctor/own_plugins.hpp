// SPDX-License-Identifier: BSD-3-Clause
/// @file own_plugins.hpp  The plugins of this tree, kind by kind.
#pragma once

#include <doctest/doctest.h>
#include <claros/doctor/doctor.hpp>

#include <string>

namespace claros::test {

/// Requires that every plugin of the kind passes.
inline void examine_all(Kind kind) {
  // A machine that is shared, and a sanitizer, are no endless loops.
  const doctor::Options patient{.limit = 600.0};
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  REQUIRE(!catalog.names(kind).empty());
  for (const std::string& name : catalog.names(kind)) {
    const auto results =
        doctor::examine({.entry = catalog.at(kind, name), .race = 0.1, .catalog = &catalog}, patient);
    for (const doctor::Result& r : results)
      CHECK_MESSAGE(!r.failed(), std::string(kind_name(kind) + "/" + name + " " + r.text()));
    const doctor::Conclusion conclusion = doctor::conclude(kind, results);
    CHECK_MESSAGE(conclusion.verdict == doctor::Verdict::passed,
                  std::string(kind_name(kind) + "/" + name + " " + conclusion.text()));
  }
}

}  // namespace claros::test
