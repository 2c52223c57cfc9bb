// SPDX-License-Identifier: BSD-3-Clause
// What the kit does when time runs out.
#include <doctest/doctest.h>

#include <string>

#include "../../sdk/conformance/src/bench.hpp"

using namespace claros;

TEST_CASE("doctor: groups of entries have a stand-in; an objective's groups, which are of rows, have none") {
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  const auto groups = [&](Kind kind, const std::string& name) {
    const doctor::Subject subject{catalog.at(kind, name)};
    for (const Setting& s : doctor::Bench(subject, "creation").settings())
      if (s.key == "groups") return s.value;
    return std::string();
  };
  CHECK(groups(Kind::set, "matroid-base") == "rows");
  CHECK_FALSE(groups(Kind::penalty, "group").empty());
  CHECK(groups(Kind::objective, "cox").empty());
}

TEST_CASE("doctor: a slow component is tried with its defaults, and the result says how much was left out") {
  Catalog catalog;
  const doctor::Subject subject{catalog.load(CLAROS_PLANTED_DIR "/ball.so")};
  doctor::Bench late(subject, "membership", {}, 0.0), patient(subject, "membership");
  CHECK(late.tries(0, 9));
  CHECK(late.left_out().empty());
  CHECK_FALSE(late.tries(1, 9));
  CHECK(late.left_out().find("tried 1 of 9 settings") != std::string::npos);
  for (std::size_t k = 0; k < 9; ++k) CHECK(patient.tries(k, 9));
  CHECK(patient.left_out().empty());
}
