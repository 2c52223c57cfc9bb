// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

class ThrowsInComponents final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

  claros::Index terms() const override { throw "no number"; }
};

CLAROS_PLUGIN(ThrowsInComponents, claros::Kind::objective, "throws-in-components", "", "1.0.0",
              "Throws a text.", "A fixture of the tests.", "")
