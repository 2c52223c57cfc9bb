// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

class ThrowsInShape final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

  claros::Shape shape() const override { throw 7; }
};

CLAROS_PLUGIN(ThrowsInShape, claros::Kind::objective, "throws-in-shape", "", "1.0.0", "Throws an int.",
              "A fixture of the tests.", "")
