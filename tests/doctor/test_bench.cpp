// SPDX-License-Identifier: BSD-3-Clause
// What the kit does when time runs out.
#include <doctest/doctest.h>

#include <string>

#include "../../sdk/conformance/src/bench.hpp"

using namespace claros;

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
