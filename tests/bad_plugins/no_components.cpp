// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

class NoComponents final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

  claros::Index terms() const override { return 0; }
};

CLAROS_PLUGIN(NoComponents, claros::Kind::objective, "no-components", "", "1.0.0", "A sum of nothing.",
              "A fixture of the tests.", "")
