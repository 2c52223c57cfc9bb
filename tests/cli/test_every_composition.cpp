// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

using namespace claros::test;

TEST_CASE("compositions: whatever is not refused runs on a small problem") {
  const auto all = ask("/", {"compositions", "--run"});
  INFO(all.out);
  CHECK(all.code == 0);
  CHECK(contains(all.out, " compositions, none failed\n"));
  CHECK_FALSE(contains(all.out, ": 0 compositions made"));
}
