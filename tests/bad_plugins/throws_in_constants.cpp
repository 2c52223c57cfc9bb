// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

class ThrowsInConstants final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

  claros::Constants constants() const override { throw Foreign{}; }

 private:
  struct Foreign {};
};

CLAROS_PLUGIN(ThrowsInConstants, claros::Kind::objective, "throws-in-constants", "", "1.0.0",
              "Throws a type of its own.", "A fixture of the tests.", "")
