// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

class NegativeComponents final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

  claros::Index terms() const override { return -7; }
};

CLAROS_PLUGIN(NegativeComponents, claros::Kind::objective, "negative-components", "", "1.0.0",
              "A sum of less than nothing.", "A fixture of the tests.", "")
